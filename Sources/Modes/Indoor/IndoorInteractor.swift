package import FlightControl
package import FlightVolume
internal import RouteKit
package import RouteFlight
package import Geodesy
internal import PointCloud
internal import Trajectories
package import UAVLink

/// Opens and fetches maps, plans the route through them, and flies it with the selected vehicle.
@MainActor
package final class IndoorInteractor: RouteInWorld {
    /// The map, the route and the settings.
    package let desk: IndoorDocument
    package let fleet: Fleet
    let clock: any MonotonicClock
    private let maps: MapInteractor
    package let files: any FileAccess
    private let planner: any IndoorPlanning
    /// The vehicle that flies the route.
    package let selection: VehicleSelection
    /// The vehicles' controllers and the world, which are those of the map mode.
    package var flights: RouteFlights { desk.flights }
    /// The straight way that was checked last.
    var checkedWay: CheckedWay?
    package let planning: RoutePlanner<IndoorPlan, IndoorPlanProblem>
    /// From where the last plan was begun, and when; see ``isStartNews``.
    private(set) var begun: (start: Vector3?, at: MonotonicTime)?
    private var current: IndoorProgress?

    /// The world's origin; `nil` while it is not known.
    package private(set) var session: WorldSession?
    /// Where the vehicle may fly; `nil` while it is not known.
    package private(set) var volume: FlyableVolume?
    /// Why the world, or its safety area, cannot be used, in one line; `nil` when nothing is wrong with it.
    package private(set) var worldProblem: String?
    /// The map in `world_origin`; `nil` before one was opened.
    package private(set) var picture: PlacedIndoorMap?
    /// Which map is placed, and how far it was moved.
    private var placement: (load: Int, shift: Vector3?)?
    /// How the map was moved into `world_origin`, or why it could not be; `nil` when it did not have to be.
    package private(set) var frameNote: String?

    /// An interactor over the kept state.
    package init(
        fleet: Fleet, desk: IndoorDocument, clock: any MonotonicClock, maps: MapInteractor,
        planner: any IndoorPlanning, files: any FileAccess = LocalFiles()
    ) {
        self.files = files
        self.fleet = fleet
        self.desk = desk
        self.clock = clock
        self.maps = maps
        self.planner = planner
        selection = VehicleSelection(in: fleet, flights: desk.flights, clock: clock)
        planning = RoutePlanner(keepsOldPlan: false) { desk.editor.revision }
        // Also without a vehicle: the map mode may have read a world.
        refreshWorld()
    }

    // MARK: The map

    /// Long work in progress.
    package var work: IndoorProgressLine? { current?.line }

    /// Reads a map file.
    ///
    /// - Throws: ``MapFailure``; the current map is then kept.
    package func open(_ path: String) async throws(MapFailure) {
        let options = desk.options
        let work = begin("reading \(path)")
        defer { end(work) }
        take(try await maps.open(path, options, onProgress: work.onProgress))
    }

    /// The maps that the selected vehicle offers, the largest first.
    ///
    /// - Throws: ``MapFailure``.
    package func offers() async throws(MapFailure) -> [AvailableMap] {
        let link = try selectedLink()
        let work = begin("reading the vehicle's map topics")
        defer { end(work) }
        return try await maps.offers(over: link)
    }

    /// Fetches a map from the selected vehicle, thinned on board according to the options.
    ///
    /// - Throws: ``MapFailure``; the current map is then kept.
    package func pull(_ topic: String) async throws(MapFailure) {
        let link = try selectedLink()
        let options = desk.options
        let work = begin("fetching \(topic)")
        defer { end(work) }
        let spacing = options.spacingMetres > 0 ? options.spacingMetres : MapRequest(topic: topic).spacingMetres
        let bytes = try await maps.pull(
            MapRequest(topic: topic, spacingMetres: spacing), over: link, onProgress: work.onProgress)
        take(try await maps.open(bytes, source: topic, options))
    }

    /// Writes the map as a PCD file; an existing file is not replaced.
    ///
    /// - Throws: ``MapFailure``.
    package func save(_ path: String, replacing: Bool = false) async throws(MapFailure) {
        guard let map = desk.map else { throw .file("no map is open") }
        let work = begin("writing \(path)")
        defer { end(work) }
        try await maps.write(map.cloud, to: path, .compressed, replaces: replacing)
    }

    /// Thins the map and splits it into layers again, with the current options.
    ///
    /// - Throws: ``MapFailure``; the current map is then kept.
    package func prepareAgain() async throws(MapFailure) {
        guard let map = desk.map else { return }
        let options = desk.options
        let work = begin("preparing the map")
        defer { end(work) }
        take(try await maps.prepare(map, options, onProgress: work.onProgress))
    }

    private func take(_ map: IndoorMap) {
        desk.map = map
        desk.loads += 1
        desk.layer = desk.layer.map { min($0, map.layers.count - 1) }
        place()
        settingsChanged()
    }

    private func begin(_ text: String) -> IndoorProgress {
        let work = IndoorProgress(text.sanitizedLine)
        current = work
        return work
    }

    private func end(_ work: IndoorProgress) {
        if current === work { current = nil }
    }

    /// Brings the map into `world_origin`: a map in UTM coordinates is moved by the world's origin, and by its altitude where the heights
    /// include that. Surveys have heights above sea level, what a vehicle maps in UTM often those of its own frame.
    private func place() {
        frameNote = nil
        guard let map = desk.map else {
            (picture, placement) = (nil, nil)
            return
        }
        var shift: Vector3?
        if let bounds = map.bounds, bounds.isUTM {
            if let session {
                let origin = session.grid.origin
                let altitude = bounds.altitudeIncluded(of: session.altitudeMetres)
                shift = Vector3(x: -origin.eastingMetres, y: -origin.northingMetres, z: -altitude)
                frameNote = IndoorFormatter.moved(from: session.zone, altitudeIncluded: altitude)
            } else {
                frameNote =
                    "UTM coordinates, but world_origin is not known: a route through this map cannot be flown"
            }
        }
        guard placement?.load != desk.loads || placement?.shift != shift else { return }
        placement = (desk.loads, shift)
        // A number for each place: what was planned past the same points elsewhere must not be taken for this.
        desk.placements += 1
        picture = PlacedIndoorMap(id: desk.placements, layers: shift.map { map.layers.moved(by: $0) } ?? map.layers)
    }

    // MARK: The vehicle

    /// The route as it is now, for the controller.
    package var version: RouteVersion {
        RouteVersion(
            .indoor, points: desk.editor.points, options: desk.settings.options,
            search: desk.planning.avoidsObstacles ? desk.planning.inspection : nil)
    }

    /// Reads the state of the selected vehicle.
    ///
    /// - Returns: whether the selection changed since the last call, and the points whose snapshots are due.
    package func look() -> (isAnother: Bool, dueSnapshots: [Int]) {
        let isAnother = selection.look(session: session)
        if isAnother {
            // What was checked, was checked for the other one, in its world.
            takeKnownWorld()
        } else if isStartNews || isBatteryNews {
            // It was checked for another start, or before the battery's discharge was known.
            settingsChanged()
        }
        return (isAnother, controller?.look() ?? [])
    }

    /// Queries the selected vehicle's limits, the origin of its world, and its own world. A vehicle that reports no origin keeps one
    /// that it reported before, but gets none of another vehicle.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    package func askVehicle() async throws(LinkError) {
        try await selection.read { origin, own, id in
            let isPlace = origin.map { (try? WorldSession(vehicle: $0)) != nil } ?? false
            if isPlace || flights.originVehicle != id {
                (flights.setup.vehicleOrigin, flights.originVehicle) = (isPlace ? origin : nil, id)
            }
            setup.ownWorld = own
            refreshWorld()
        }
    }

    /// Applies the world again and invalidates the plan. Of a world that cannot be used nothing is known, and the plan says why.
    package func refreshWorld() {
        (session, volume, worldProblem) = (nil, nil, nil)
        do throws(GeodesyError) {
            session = try setup.session()
            volume = try setup.volume(session)
        } catch {
            worldProblem = RouteText.withKeys(error.what)
        }
        desk.flights.setSession(session)
        place()
        settingsChanged()
    }

    /// Whether the selected vehicle has maps, and a link that they come over.
    var fetchesMaps: Bool {
        guard let vehicle = fleet.selected, !vehicle.isLinkLost else { return false }
        let link = vehicle.link
        return link.capabilities.survey != nil
            && link.vehicleCapabilities.lack(of: VehicleRequirement(survey: .maps)) == nil
    }

    private func selectedLink() throws(MapFailure) -> any UAVLink {
        guard let vehicle = fleet.selected else {
            throw .link(LinkError(.notConnected, "not logged in to a vehicle"))
        }
        return vehicle.link
    }

    // MARK: The trajectory

    /// Plans the current route; returns when the plan is current, or at once when a call is already planning.
    package func replan() async {
        await planning.replan { () async throws(IndoorPlanProblem) -> IndoorPlan? in
            let points = desk.editor.points
            guard points.count > 1 else { return nil }
            let start = start
            begun = (start, clock.now)
            var plan = try await planner.plan(
                IndoorPlanRequest(points: points, map: picture, start: start, settings: desk.planning), conditions)
            let world = await comparison.findings(setup, session)
            plan.trajectory = plan.trajectory.warned(of: world).of(desk.openedInUse)
            if let worldProblem {
                let finding = TrajectoryFinding(
                    .safetyArea, .warning, text: "the world cannot be used, and was not checked: \(worldProblem)")
                plan.trajectory.report.findings.insert(finding, at: 0)
            }
            return plan
        }
    }

    /// The current flight conditions for planning.
    var conditions: FlightConditions {
        (flight?.conditions(desk.settings, volume: volume) ?? FlightConditions(volume: volume, settings: desk.settings))
            .overGroundOfMap()
    }

    /// How long the plan holds at points without a hold time of their own, seconds: a path around obstacles holds at
    /// each point.
    var plannedHoldSeconds: Double {
        picture != nil && desk.planning.avoidsObstacles ? desk.planning.inspection.holdSeconds : 0
    }

    /// The confirmation required before the trajectory is sent.
    ///
    /// - Returns: `nil` when there is no trajectory.
    package func confirmation() async -> FlightConfirmation? {
        // Battery and position change during editing: check again with current values.
        settingsChanged()
        await replan()
        guard let plan, isPlanCurrent, isVehicleRead else { return nil }
        return FlightConfirmation(
            plan.trajectory, leastClearanceMetres: plan.leastClearanceMetres, version: version)
    }

    /// Why planning failed, in one line; `nil` if it did not.
    package var planningProblem: String? { planProblem?.text }
}
