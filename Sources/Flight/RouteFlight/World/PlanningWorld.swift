internal import FlightControl
internal import FlightVolume
package import Geodesy
package import RouteFiles
internal import Trajectories
package import UAVLink

/// Where a route is planned: the world, as the user and the vehicle say, and the vehicle that would fly it, if there is one.
@MainActor
package struct PlanningWorld {
    /// What the world is made from, with the vehicle's origin and its own world.
    nonisolated package let setup: WorldSetup
    /// Where frames lie; `nil` if no origin is known.
    nonisolated package let session: WorldSession?
    private let volume: FlyableVolume?
    private let findings: WorldFindings
    private let flight: TrajectoryFlight?

    /// Asks the vehicle for what the checks of a plan need.
    ///
    /// - Parameters:
    ///   - setup: without the vehicle's origin and its own world.
    ///   - flight: the vehicle's; `nil`: nothing is known of a vehicle.
    ///   - timeout: for its telemetry.
    ///   - report: called with a line if the vehicle does not tell its limits and its origin.
    /// - Throws: `GeodesyError` for an origin or an area that cannot be used, or `CancellationError`.
    package init(
        _ setup: WorldSetup, _ flight: TrajectoryFlight? = nil, telemetryWithin timeout: Duration = .zero,
        report: @Sendable (String) -> Void = { _ in }
    ) async throws {
        var setup = setup
        if let flight {
            try await flight.awaitTelemetry(within: timeout)
            async let own = flight.readWorld()
            do throws(LinkError) {
                setup.vehicleOrigin = try await flight.readEnvelope().worldOrigin
            } catch {
                try Task.checkCancellation()
                report("the vehicle's limits were not read: \(error.description)")
            }
            setup.ownWorld = await own
            // A world that was not waited for is not one that the vehicle does not have.
            try Task.checkCancellation()
        }
        let session = try setup.session()
        volume = try setup.volume(session)
        findings = await WorldComparison().findings(setup, session)
        flight?.session = session
        self.setup = setup
        self.session = session
        self.flight = flight
    }

    /// Makes and checks the trajectory through the points of a file.
    ///
    /// - Parameters:
    ///   - name: the file's name, for errors.
    ///   - defaults: for what the file leaves out.
    ///   - homeZMetres: z of the take-off position in `world_origin`; `nil`: where the vehicle stands.
    ///   - allowsOmissions: whether what the file has and the route leaves out is a warning only.
    /// - Throws: ``RouteLoadingError``.
    package func plan(
        _ route: ReadRoute, name: String, _ settings: TrajectorySettings, _ defaults: RouteDefaults = .init(),
        homeZMetres: Double? = nil, allowsOmissions: Bool = false
    ) async throws(RouteLoadingError) -> TrajectoryPlan {
        let loaded = try LoadedRoute(route, name: name, resolver: resolver(defaults, homeZMetres: homeZMetres))
        let plan: TrajectoryPlan
        do throws(RouteError) {
            plan = try await TrajectoryPlan.make(through: loaded.points, conditions(of: loaded, settings))
        } catch {
            throw .route(error, file: name)
        }
        return completed(plan, with: loaded, allowsOmissions)
    }

    /// Plans a path past the points of a file, and the trajectory along it.
    ///
    /// - Parameters:
    ///   - name: the file's name, for errors.
    ///   - start: position of the vehicle; `nil`: the first of the points.
    ///   - interactor: of the map, which is in this world.
    ///   - cruiseSpeed: along the path, m/s.
    ///   - defaults: for what the file leaves out; metres without a frame are those of `world_origin`.
    ///   - homeZMetres: z of the take-off position in `world_origin`; `nil`: where the vehicle stands.
    ///   - allowsOmissions: whether what the file has and the route leaves out is a warning only.
    ///   - onProgress: progress, 0 to 1; called on any thread.
    /// - Throws: ``InspectionFailure``.
    package func plan(
        past route: ReadRoute, name: String, from start: Vector3? = nil, in interactor: InspectionInteractor,
        cruiseSpeed: Double, _ defaults: RouteDefaults = .init(), homeZMetres: Double? = nil,
        allowsOmissions: Bool = false, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(InspectionFailure) -> InspectionPlan {
        let loaded = try InspectionRoute.resolved(route, fromFile: name, resolver(defaults, homeZMetres: homeZMetres))
        var settings = TrajectorySettings()
        // Without a world a map may be in coordinates of its own, such as those of a survey.
        settings.isPlaceKnown = session != nil
        settings.options.cruiseSpeed = cruiseSpeed
        var conditions = conditions(of: loaded, settings)
        conditions.limits = conditions.limits ?? .medium
        conditions = conditions.overGroundOfMap()
        var plan = try await interactor.plan(past: loaded.points, from: start, conditions, onProgress: onProgress)
        plan.trajectory = completed(plan.trajectory, with: loaded, allowsOmissions)
        plan.written = await interactor.written(plan, conditions)
        return plan
    }

    /// Checks a trajectory whose samples are known, in metres of `world_origin`: it is flown as it is.
    package func plan(_ samples: Trajectory, _ settings: TrajectorySettings) -> TrajectoryPlan {
        var conditions =
            flight?.conditions(settings, volume: volume) ?? FlightConditions(volume: volume, settings: settings)
        conditions.groundZMetres = setup.groundZMetres
        // The stated times are those of the samples.
        let ends = [0, samples.points.count - 1].filter { samples.points.indices.contains($0) }
        let points = ends.map { index in
            PlannedPoint(
                position: samples.points[index].position,
                heading: .fixed(radians: samples.points[index].headingRadians))
        }
        let generated = GeneratedTrajectory(trajectory: samples, pointSamples: ends, points: points)
        return aged(TrajectoryPlan(generated, conditions).warned(of: findings))
    }

    /// The plan with the age of the vehicle's position, where the vehicle is silent.
    private func aged(_ plan: TrajectoryPlan) -> TrajectoryPlan {
        guard plan.report.start?.origin == .vehicle, let flight, let pose = flight.link.latestTelemetry?.pose else {
            return plan
        }
        let age = pose.age(now: flight.clock.now)
        guard age > Self.presentAge else { return plan }
        var plan = plan
        plan.report.start?.ageSeconds = age.inSeconds
        return plan
    }

    /// A position up to this age is one of now: over SSH telemetry takes as long.
    private static let presentAge: Duration = .seconds(3)

    private func resolver(_ defaults: RouteDefaults, homeZMetres: Double?) -> RouteResolver {
        setup.resolver(
            session, homeZMetres: homeZMetres ?? flight?.home?.z, vehicleGroundZMetres: flight?.groundZMetres,
            defaults)
    }

    private func conditions(of route: LoadedRoute, _ settings: TrajectorySettings) -> FlightConditions {
        let known = flight?.conditions(settings, volume: volume)
        var conditions = (known ?? FlightConditions(volume: volume, settings: settings)).limited(by: route.limits)
        conditions.groundZMetres = setup.groundZMetres
        return conditions
    }

    private func completed(
        _ plan: TrajectoryPlan, with route: LoadedRoute, _ allowsOmissions: Bool
    ) -> TrajectoryPlan {
        aged(plan.warned(of: findings).of(route, allowsOmissions: allowsOmissions))
    }
}

extension TrajectoryFlight {
    /// Waits for the telemetry that the checks of a plan need, since the first frames hold only parts; what is missing at the
    /// end of the time is not checked.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func awaitTelemetry(within timeout: Duration) async throws(CancellationError) {
        // Over SSH each part has its own `rostopic echo`, and those take seconds to start.
        let limit = min(timeout, link.kind.runsPrograms ? .seconds(8) : .seconds(3))
        var isCompleteAt: MonotonicTime?
        _ = try await link.awaitTelemetry(within: limit, on: clock) { seen -> Bool? in
            guard seen.pose != nil, seen.flight != nil, seen.battery != nil else { return nil }
            let since = isCompleteAt ?? clock.now
            isCompleteAt = since
            // Not every vehicle measures its height above ground.
            let hasHeight = seen.heightAboveGroundMetres != nil || seen.rangeFinderMetres != nil
            return hasHeight || clock.now - since > .milliseconds(300) ? true : nil
        }
    }
}
