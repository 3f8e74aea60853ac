package import FlightControl
package import FlightVolume
package import ModeKit
internal import RouteKit
package import RouteFlight
package import Geodesy
internal import RouteFiles
package import Trajectories
package import UAVLink
internal import VehicleAccess

/// Edits the route, plans and checks its trajectory, and flies it with the selected vehicle.
@MainActor
package final class MapTrajectoryInteractor: RouteInWorld {
    /// The route, the world and the settings.
    package let desk: RouteDocument
    package let fleet: Fleet
    package var flights: RouteFlights { desk.flights }
    private let clock: any MonotonicClock
    package let files: any FileAccess
    /// The vehicle that flies the route.
    package let selection: VehicleSelection
    package let planning: RoutePlanner<TrajectoryPlan, RouteError>
    /// When the last plan was begun.
    private var plannedAt: MonotonicTime?

    /// The world's origin; `nil` while it is not known.
    package private(set) var session: WorldSession?
    /// Incremented whenever the world setup is applied again.
    package private(set) var worldRevision = 0
    /// The safety area; `nil` while it is not known.
    package private(set) var volume: FlyableVolume?
    /// What is wrong with the world setup; `nil` when it is valid.
    package private(set) var worldProblem: String?
    /// The background in metres of the world; empty while it is not projected.
    package private(set) var background: [MapShape] = []

    /// An interactor over the kept state.
    package init(fleet: Fleet, desk: RouteDocument, clock: any MonotonicClock, files: any FileAccess) {
        self.fleet = fleet
        self.desk = desk
        self.clock = clock
        self.files = files
        selection = VehicleSelection(in: fleet, flights: desk.flights, clock: clock)
        planning = RoutePlanner(keepsOldPlan: true) { desk.editor.revision }
        refreshWorld()
    }

    // MARK: The vehicle

    /// The route as it is now, for the controller.
    package var version: RouteVersion {
        RouteVersion(.map, points: desk.editor.points, options: desk.settings.options)
    }

    /// Reads the state of the vehicles.
    ///
    /// - Returns: whether the selection changed since the last call, and the points whose snapshots are due.
    package func look() -> (isAnother: Bool, dueSnapshots: [Int]) {
        for each in fleet.vehicles {
            let (world, telemetry) = (WorldPosition(session: session), each.link.latestTelemetry)
            guard world.position(in: telemetry) != nil else { continue }
            // It may have taken off before the map was opened.
            let seen = fleet.history(of: each.id)?.home.flatMap { world.position(of: $0) }
            if let home = world.home(in: telemetry) ?? seen {
                desk.takeOffPositions[each.id] = TakeOffPosition(place: home.onMap, z: home.z)
            }
        }
        let isAnother = selection.look(session: session)
        if isAnother {
            // What was checked, was checked for the other one, in its world.
            takeKnownWorld()
        } else if isBatteryNews {
            // It was checked before the battery's discharge was known.
            settingsChanged()
        }
        return (isAnother, controller?.look() ?? [])
    }

    /// The least interval between checks of the same route because the vehicle reports something else.
    private static let recheckPeriod: Duration = .seconds(2)

    /// Whether something else is known of the battery than when the plan was made.
    private var isBatteryNews: Bool {
        guard isPlanCurrent, let plan, let plannedAt, clock.now - plannedAt >= Self.recheckPeriod else { return false }
        return !conditions.knowsSameOfBattery(as: plan.conditions)
    }

    /// Queries the selected vehicle's limits, the origin of its world, and its own world. A vehicle that reports no origin keeps one
    /// that it reported before, but gets none of another vehicle.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    package func askVehicle() async throws(LinkError) {
        try await selection.read { origin, world, id in
            if origin != nil || flights.originVehicle != id {
                (flights.setup.vehicleOrigin, flights.originVehicle) = (origin, id)
            }
            setup.ownWorld = world
            refreshWorld()
        }
    }

    /// The vehicles whose position is known.
    package var vehicles: [MapVehicle] {
        let now = clock.now
        return fleet.vehicles.compactMap { each in
            guard let pose = each.link.latestTelemetry?.pose,
                let position = WorldPosition(session: session).position(of: pose.value)
            else { return nil }
            return MapVehicle(
                place: position.onMap, headingRadians: pose.value.headingRadians,
                trail: trail(of: each.id, at: now), title: each.title.sanitizedLine,
                isSelected: each.id == fleet.selectedID, isOld: pose.age(now: now) > Self.stalePoseAge)
        }
    }

    private func trail(of id: Int, at now: MonotonicTime) -> [MapPlace] {
        let world = WorldPosition(session: session)
        return fleet.history(of: id)?.trail(at: now).compactMap { world.position(of: $0.value)?.onMap } ?? []
    }

    /// A pose older than this is shown as stale: ten frames of the slowest link that steers.
    static let stalePoseAge: Duration = .seconds(1)

    /// The take-off position of the selected vehicle.
    package var home: MapPlace? { fleet.selectedID.flatMap { desk.takeOffPositions[$0]?.place } }

    // MARK: The world

    /// Applies the world setup again and invalidates the plan.
    package func refreshWorld() {
        worldRevision += 1
        worldProblem = nil
        do {
            session = try setup.session()
            volume = try setup.volume(session)
        } catch {
            worldProblem = RouteText.withKeys(error.what)
            session = nil
            volume = nil
        }
        desk.flights.setSession(session)
        settingsChanged()
    }

    /// Reads a file of roads and buildings.
    ///
    /// - Throws: ``FileAccessError`` for a file that cannot be read or is not such a file.
    package func openBackground(_ path: String) async throws(FileAccessError) {
        let bytes = try await files.read(path, atMost: LocalFiles.largest)
        let read: Result<MapFeatures, RouteFileError> = await Self.features(bytes, path)
        switch read {
        case .failure(let error): throw FileAccessError(error.what)
        case .success(let features): desk.features = features
        }
        await projectBackground()
    }

    @concurrent
    private static func features(_ bytes: [UInt8], _ name: String) async -> Result<MapFeatures, RouteFileError> {
        do throws(RouteFileError) {
            return .success(try BackgroundReader.read(bytes, name: name))
        } catch {
            return .failure(error)
        }
    }

    /// Projects the background into the world; empty while the origin is not known.
    package func projectBackground() async {
        guard let session else {
            background = []
            return
        }
        background = await BackgroundProjection.shapes(desk.features, session)
    }

    /// Takes note that the place where the vehicle started is that of the selected one.
    func noteLocalOrigin() { flights.localOriginVehicle = fleet.selectedID }

    // MARK: Files

    /// The resolver that brings routes of files into this world.
    package func resolver(_ defaults: RouteDefaults = .init()) -> RouteResolver {
        setup.resolver(
            session, homeZMetres: homeZMetres,
            vehicleGroundZMetres: vehicleGroundZMetres, defaults)
    }

    /// z of the take-off position of the selected vehicle, metres in `world_origin`; `nil` if unknown.
    var homeZMetres: Double? { fleet.selectedID.flatMap { desk.takeOffPositions[$0]?.z } }

    private var vehicleGroundZMetres: Double? {
        WorldPosition(session: session).groundZ(in: flight?.link.latestTelemetry)
    }

    /// What is known of the place where the flight of the route begins.
    private var routeHome: RouteHome {
        let takeOff = fleet.selectedID.flatMap { desk.takeOffPositions[$0] }
        return RouteHome(
            ofFile: desk.file?.home, takeOff: takeOff.map { Vector3(x: $0.place.east, y: $0.place.north, z: $0.z) },
            groundZMetres: setup.groundZMetres ?? vehicleGroundZMetres)
    }

    /// Replaces the route by the points of a file; this can be undone.
    ///
    /// - Parameter replacing: whether a route with points that no file has is replaced.
    /// - Returns: warnings about the file; `nil` if there is such a route, which then stays.
    /// - Throws: ``FileAccessError`` or ``RouteLoadingError``.
    package func open(_ path: String, _ defaults: RouteDefaults = .init(), replacing: Bool) async throws -> [String]? {
        let loaded = try await RoutePoints.read(path, from: files, resolver(defaults))
        guard replacing || !desk.hasUnsavedPoints || loaded.points == desk.editor.points else { return nil }
        desk.replace(with: loaded, from: path)
        return loaded.notes
    }

    /// Writes the points.
    ///
    /// - Parameter replacing: whether an existing file is replaced; one that this route was last read from or written to
    ///   is, unless something else in it would be lost.
    /// - Returns: warnings about what the format cannot represent, and what was assumed.
    /// - Throws: ``FileAccessError``.
    package func save(_ path: String, replacing: Bool = false) async throws(FileAccessError) -> [String] {
        let (points, file) = (desk.editor.points, desk.editor.file)
        let isOwn = path == file && desk.fileExtras[path] == nil
        let notes = try await RoutePoints.write(
            points, to: path, session, home: routeHome, on: files, replacing: replacing || isOwn)
        desk.wrote(points, to: path, before: file)
        return notes
    }

    // MARK: The trajectory

    /// Plans the current route off the main actor; returns when the plan is current, or at once when a call is already planning.
    package func replan() async {
        await planning.replan { () async throws(RouteError) -> TrajectoryPlan? in
            guard desk.editor.points.count > 1 else { return nil }
            plannedAt = clock.now
            return try await TrajectoryPlan.make(through: desk.editor.points, conditions)
                .warned(of: comparison.findings(setup, session)).of(desk.file)
        }
    }

    private var conditions: FlightConditions {
        (flight?.conditions(desk.settings, volume: volume) ?? FlightConditions(volume: volume, settings: desk.settings))
            .limited(by: desk.file?.limits ?? []).overGround(setup.groundZMetres)
    }

    /// The confirmation required before the trajectory is sent, checked against the current conditions.
    ///
    /// - Returns: `nil` when there is no trajectory.
    package func confirmation() async -> FlightConfirmation? {
        await replan()
        guard let plan, isPlanCurrent, isVehicleRead else { return nil }
        // Taken before the checks: the route may be edited meanwhile.
        let version = version
        let checked = await Self.checked(plan, conditions)
            .warned(of: comparison.findings(setup, session)).of(desk.file)
        return FlightConfirmation(checked, version: version)
    }

    /// Why planning failed, in one line; `nil` if it did not.
    package var planningProblem: String? { planProblem?.what }

    @concurrent
    private static func checked(_ plan: TrajectoryPlan, _ conditions: FlightConditions) async -> TrajectoryPlan {
        TrajectoryPlan(plan.generated, conditions)
    }
}

extension MapPlace {
    /// Metres east and north.
    init(_ place: SIMD2<Double>) { self.init(east: place.x, north: place.y) }
}

extension Vector3 {
    /// The horizontal position.
    var onMap: MapPlace { MapPlace(east: x, north: y) }
}
