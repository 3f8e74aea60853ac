import Geodesy
import FlightControl
import PointCloud
import RouteFlight
import Synchronization
import Testing
import Trajectories
import UAVLink
import UAVTestKit

/// What a route of a file is planned with: the world and the limits that the user and the vehicle give.
@MainActor
@Suite struct PlanningWorldTests {
    private let clock = FakeClock()
    private let link: FakeLink
    private let flight: TrajectoryFlight
    private static let points = "0,0,5,0\n10,0,5,0\n"
    private static let defaults = RouteDefaults(frame: .worldOrigin)

    init() {
        link = FakeLink(clock: clock)
        flight = TrajectoryFlight(FlightDependency(link: link, clock: clock))
    }

    private func plan(in world: PlanningWorld) async throws -> TrajectoryPlan {
        let route = try LoadedRoute.read(Array(Self.points.utf8), name: "a.csv")
        return try await world.plan(route, name: "a.csv", TrajectorySettings(), Self.defaults)
    }

    @Test func `a route is planned in the vehicle's world, within its limits, from where it stands`() async throws {
        try await link.connect(within: .seconds(1))
        let world = try await PlanningWorld(WorldSetup(), flight, telemetryWithin: .seconds(3))
        #expect(world.setup.vehicleOrigin?.latitudeDegrees == 47.397743)
        #expect(world.session != nil && flight.session != nil)
        let plan = try await plan(in: world)
        #expect(plan.generated.points.map(\.position) == [Vector3(x: 0, y: 0, z: 5), Vector3(x: 10, y: 0, z: 5)])
        #expect(plan.conditions.limits == .medium)
        #expect(plan.vehiclePosition == Vector3.zero)
        #expect(plan.start(in: world.session)?.positionMetres == Vector3(x: 0, y: 0, z: 5))
        #expect(plan.flightTimeout > .seconds(60 + 2 * plan.report.durationSeconds - 1))
        await link.close()
    }

    @Test func `the age of the position of a vehicle that is silent is said`() async throws {
        try await link.connect(within: .seconds(1))
        await clock.run(for: .milliseconds(100))
        let heard = try await plan(in: PlanningWorld(WorldSetup(), flight, telemetryWithin: .seconds(3))).report
        #expect(heard.start?.origin == .vehicle && heard.start?.ageSeconds == nil)
        link.setVehicleSilent(true)
        await clock.run(for: .seconds(20))
        let report = try await plan(in: PlanningWorld(WorldSetup(), flight, telemetryWithin: .seconds(3))).report
        let line = "point 1 is 5.0 m from the vehicle (its position is 20 s old)"
        #expect(report.lines.contains(line), "\(report.lines)")
        #expect((report.start?.ageSeconds ?? 0) > 19)
        await link.close()
    }

    @Test func `without a vehicle nothing is known of one`() async throws {
        let world = try await PlanningWorld(WorldSetup())
        let plan = try await plan(in: world)
        #expect(world.session == nil)
        #expect(plan.conditions.limits == nil && plan.vehiclePosition == nil)
    }

    @Test func `what the vehicle does not tell is reported, and planned without`() async throws {
        try await link.connect(within: .seconds(1))
        let failure = LinkError(.timedOut, "no answer")
        link.survey.failure = failure
        let lines = Mutex<[String]>([])
        let world = try await PlanningWorld(WorldSetup(), flight, telemetryWithin: .seconds(3)) { line in
            lines.withLock { $0.append(line) }
        }
        #expect(lines.withLock { $0 } == ["the vehicle's limits were not read: \(failure.description)"])
        #expect(try await plan(in: world).conditions.limits == nil)
        await link.close()
    }

    @Test func `who interrupts the questions gets no plan without their answers`() async throws {
        try await link.connect(within: .seconds(1))
        link.survey.failure = LinkError(.timedOut, "no answer")
        let flight = flight
        let work = Task {
            _ = try await PlanningWorld(WorldSetup(), flight, telemetryWithin: .seconds(3)) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await work.value }
        await link.close()
    }

    @Test func `a path in a map is written so that it keeps away when it is flown with the usual speed and rounding`()
        async throws
    {
        let map = InspectionTests.room(door: 1.12)
        let interactor = InspectionInteractor(map: map, settings: InspectionTests.settings)
        let route = try LoadedRoute.read(Array("5,3.2,1.2,0\n".utf8), name: "a.csv")
        let world = try await PlanningWorld(WorldSetup())
        let plan = try await world.plan(
            past: route, name: "a.csv", from: Vector3(x: 1, y: 0.8, z: 1.2), in: interactor, cruiseSpeed: 1)
        let written = try #require(plan.written)
        let flown = try TrajectoryGenerator(limits: .medium).trajectory(through: written).trajectory.points
        #expect(InspectionTests.clearance(flown.map(\.position), map) >= 0.5)
        #expect(plan.path.map(\.position) == written.map(\.position))
    }

    @Test func `an altitude and a start that are given complete a world without them`() throws {
        var setup = WorldSetup()
        setup.typed = .init(place: .init(latitudeDegrees: 47.4, longitudeDegrees: 8.545594))
        #expect(try #require(try setup.session()).altitudeMetres == nil)
        setup.worldAltitudeMetres = 340
        setup.localOrigin = Vector3(x: 1, y: 2, z: 3)
        let session = try #require(try setup.session())
        #expect(session.altitudeMetres == 340)
        #expect(try session.world(.zero, frame: .localOrigin) == Vector3(x: 1, y: 2, z: 3))
        // An altitude that comes with the origin has precedence.
        setup.typed?.altitudeMetres = 400
        #expect(try #require(try setup.session()).altitudeMetres == 400)
    }

    @Test func `samples with their settings beside them are checked as they are`() async throws {
        let world = try await PlanningWorld(WorldSetup())
        let points = [0.0, 10].map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 5)) }
        let generated = try TrajectoryGenerator(limits: .medium).trajectory(through: points).trajectory
        let plan = world.plan(generated, TrajectorySettings())
        #expect(plan.generated.trajectory == generated)
        #expect(plan.report.isOK && plan.report.samples == generated.points.count)
    }

    @Test func `a world elsewhere than the vehicle's is warned about`() async throws {
        try await link.connect(within: .seconds(1))
        var setup = WorldSetup()
        setup.typed = .init(place: .init(latitudeDegrees: 47.4, longitudeDegrees: 8.545594), altitudeMetres: 340)
        let world = try await PlanningWorld(setup, flight, telemetryWithin: .seconds(3))
        let findings = try await plan(in: world).report.findings
        #expect(findings.contains { $0.text.hasPrefix("the vehicle's world_origin is 251 m away") })
        await link.close()
    }

    @Test func `points of a file that its format cannot place are an error that names it`() async throws {
        let world = try await PlanningWorld(WorldSetup())
        let route = try LoadedRoute.read(Array(Self.points.utf8), name: "a.csv")
        let error = await #expect(throws: RouteLoadingError.self) {
            try await world.plan(route, name: "a.csv", TrajectorySettings())
        }
        #expect(error?.lacksFrame == true)
        #expect(error?.description.hasPrefix("a.csv: ") == true)
    }

    @Test func `points of a file are inspected in a map, which may lie anywhere`() async throws {
        let world = try await PlanningWorld(WorldSetup())
        let route = try LoadedRoute.read(Array("5,3,1.2,0\n1.2,3,1.2,0\n".utf8), name: "a.csv")
        let interactor = InspectionInteractor(map: InspectionTests.room(), settings: InspectionTests.settings)
        let start = Vector3(x: 1, y: 1, z: 1)
        let plan = try await world.plan(past: route, name: "a.csv", from: start, in: interactor, cruiseSpeed: 0.5)
        #expect(plan.path.first?.position == start && plan.visits.compactMap(\.self).count == 2)
        let conditions = plan.trajectory.conditions
        #expect(conditions.limits == .medium && !conditions.settings.isPlaceKnown)
        #expect(conditions.settings.options.cruiseSpeed == 0.5)
    }

    @Test func `altitudes above ground or home are inspected in a map where those are given`() async throws {
        let text = "x,y,altitude_home,heading\n5,3,1.2,0\n1.2,3,1.2,0\n"
        let route = try LoadedRoute.read(Array(text.utf8), name: "a.csv")
        let interactor = InspectionInteractor(map: InspectionTests.room(), settings: InspectionTests.settings)
        let start = Vector3(x: 1, y: 1, z: 1)
        let world = try await PlanningWorld(WorldSetup())
        let missing = await #expect(throws: InspectionFailure.self) {
            try await world.plan(past: route, name: "a.csv", from: start, in: interactor, cruiseSpeed: 0.5)
        }
        guard case .points(let problem) = try #require(missing) else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(problem.unknownReference == .home && problem.description.hasPrefix("a.csv: "))
        let plan = try await world.plan(
            past: route, name: "a.csv", from: start, in: interactor, cruiseSpeed: 0.5, homeZMetres: 0.1)
        #expect(plan.path.contains { abs($0.position.z - 1.3) < 1e-9 })
        // Of the ground, and for points that have no altitude at all.
        var setup = WorldSetup()
        setup.groundZMetres = 0.2
        let flat = try LoadedRoute.read(Array("x,y,heading\n5,3,0\n".utf8), name: "b.csv")
        let over = try await PlanningWorld(setup).plan(
            past: flat, name: "b.csv", from: start, in: interactor, cruiseSpeed: 0.5,
            RouteDefaults(altitude: .init(metres: 1, reference: .ground)))
        #expect(over.path.contains { abs($0.position.z - 1.2) < 1e-9 })
    }

    /// How long telemetry is waited for.
    private func wait() async throws -> Duration {
        let (begun, flight) = (clock.now, self.flight)
        try await clock.run(through: { try await flight.awaitTelemetry(within: .seconds(2)) })
        return clock.now - begun
    }

    @Test func `a height above ground that never comes is waited for a moment, other parts for longer`() async throws {
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        #expect(try await wait() >= .seconds(2))
        var telemetry = link.vehicle.telemetry(name: "uav1", now: clock.now)
        telemetry.heightAboveGroundMetres = nil
        link.publish(telemetry)
        let moment = try await wait()
        #expect(moment > .milliseconds(300) && moment < .milliseconds(400))
        telemetry.heightAboveGroundMetres = Sample(0, at: clock.now)
        link.publish(telemetry)
        #expect(try await wait() < .milliseconds(10))
        await link.close()
    }

    @Test func `why a trajectory was not flown to its end is said with the place`() {
        #expect(RouteFlightEnd.flown.problem(at: .zero) == nil)
        let stopped = RouteFlightEnd.stopped(fraction: 0.25)
        #expect(
            stopped.problem(at: Vector3(x: 1, y: -2, z: 3.5))
                == "the trajectory was stopped at 1.0 -2.0 3.5 after 25 %")
        #expect(stopped.problem(at: nil) == "the trajectory was stopped after 25 %")
        #expect(RouteFlightEnd.notEnded.problem(at: .zero) == "the trajectory did not end in time")
    }
}
