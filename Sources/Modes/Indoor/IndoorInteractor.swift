public import FlightControl
public import RouteFlight
public import Geodesy
internal import PointCloud
internal import Trajectories
public import UAVLink

/// Opens and fetches maps, plans the route on the desk through them, and flies it with the selected vehicle.
@MainActor
public final class IndoorInteractor {
    /// The map, the route and the settings.
    public let desk: IndoorDesk
    private let fleet: Fleet
    private let clock: any MonotonicClock
    private let maps: MapInteractor
    private let planner: any IndoorPlanning
    private var vehicleID: Int?
    private var trails: [Int: Trail] = [:]
    private var planned: PlanKey?
    private var settingsRevision = 0
    private var isPlanning = false
    private var current: IndoorWork?

    /// Where the world lies; `nil` while nobody knows.
    public private(set) var session: WorldSession?
    /// The map in `world_origin`; `nil` before one was opened.
    public private(set) var picture: IndoorPicture?
    /// What was done to bring the map into `world_origin`, or why that was not possible.
    public private(set) var frameNote: String?
    /// The trajectory of the route as it was when it was made.
    public private(set) var plan: IndoorPlan?
    /// Why there is none.
    public private(set) var planProblem: IndoorPlanProblem?

    private struct PlanKey: Hashable {
        var route: Int
        var settings: Int
    }

    /// An interactor over the desk.
    public init(
        fleet: Fleet, desk: IndoorDesk, clock: any MonotonicClock, maps: MapInteractor, planner: any IndoorPlanning
    ) {
        self.fleet = fleet
        self.desk = desk
        self.clock = clock
        self.maps = maps
        self.planner = planner
        place()
    }

    // MARK: The map

    /// Long work under way.
    public var work: IndoorWorkLine? { current?.line }

    /// Reads a map file.
    ///
    /// - Throws: ``MapFailure``; the map that was there stays then.
    public func open(_ path: String) async throws(MapFailure) {
        let options = desk.options
        let work = begin("reading \(path)")
        defer { end(work) }
        take(try await maps.open(path, options, told: work.told))
    }

    /// The maps that the selected vehicle offers, the largest first.
    ///
    /// - Throws: ``MapFailure``.
    public func offers() async throws(MapFailure) -> [MapOffer] {
        let link = try selectedLink()
        let work = begin("asking the vehicle for its maps")
        defer { end(work) }
        return try await maps.offers(over: link)
    }

    /// Fetches a map from the selected vehicle, thinned on board as the desk's options say.
    ///
    /// - Throws: ``MapFailure``; the map that was there stays then.
    public func pull(_ topic: String) async throws(MapFailure) {
        let link = try selectedLink()
        let options = desk.options
        let work = begin("fetching \(topic)")
        defer { end(work) }
        let spacing = options.spacingMetres > 0 ? options.spacingMetres : MapRequest(topic: topic).spacingMetres
        let bytes = try await maps.pull(MapRequest(topic: topic, spacingMetres: spacing), over: link, told: work.told)
        take(try await maps.open(bytes, source: topic, options))
    }

    /// Writes the map as a PCD file; nothing that is there is replaced.
    ///
    /// - Throws: ``MapFailure``.
    public func save(_ path: String) async throws(MapFailure) {
        guard let map = desk.map else { throw .file("there is no map to write") }
        let work = begin("writing \(path)")
        defer { end(work) }
        try await maps.write(map.cloud, to: path, .compressed)
    }

    /// Thins and cuts the map anew, as the desk's options say.
    ///
    /// - Throws: ``MapFailure``; the map that was there stays then.
    public func prepareAgain() async throws(MapFailure) {
        guard let map = desk.map else { return }
        let options = desk.options
        let work = begin("preparing the map")
        defer { end(work) }
        take(try await maps.prepare(map, options, told: work.told))
    }

    private func take(_ map: IndoorMap) {
        desk.map = map
        desk.loads += 1
        desk.layer = desk.layer.map { min($0, map.layers.count - 1) }
        place()
        settingsChanged()
    }

    private func begin(_ text: String) -> IndoorWork {
        let work = IndoorWork(text.harmlessLine)
        current = work
        return work
    }

    private func end(_ work: IndoorWork) {
        if current === work { current = nil }
    }

    /// Brings the map into the world: one in UTM coordinates is moved by the world's origin.
    private func place() {
        frameNote = nil
        guard let map = desk.map else {
            picture = nil
            return
        }
        var layers = map.layers
        if let bounds = map.bounds, Self.isGrid(bounds) {
            if let session {
                let origin = session.grid.origin
                layers = layers.moved(
                    by: Vector3(
                        x: -origin.eastingMetres, y: -origin.northingMetres, z: -(session.altitudeMetres ?? 0)))
                frameNote = "UTM \(session.zone), moved to world_origin"
            } else {
                frameNote =
                    "UTM coordinates, and nobody knows where world_origin is: a route through it cannot be flown"
            }
        }
        picture = IndoorPicture(id: 2 * desk.loads + (session == nil ? 0 : 1), layers: layers)
    }

    /// Coordinates that are eastings and northings: no room lies so far from where a vehicle started.
    private static func isGrid(_ bounds: CloudBounds) -> Bool {
        (50_000...1_000_000).contains(bounds.minimum.x) && (10_000...10_000_000).contains(bounds.minimum.y)
    }

    // MARK: The vehicle

    /// The flight with the selected vehicle; `nil` when nobody is logged in.
    public var flight: TrajectoryFlight? {
        guard let selected = fleet.selected else { return nil }
        if let known = desk.flights[selected.id] { return known }
        let made = TrajectoryFlight(FlightDependency(link: selected.link, clock: clock))
        desk.flights[selected.id] = made
        made.session = session
        return made
    }

    /// Looks at the selected vehicle.
    ///
    /// - Returns: whether it is another than at the last look, and the points whose snapshots are due.
    public func look() -> (isAnother: Bool, dueSnapshots: [Int]) {
        let isAnother = fleet.selected?.id != vehicleID
        vehicleID = fleet.selected?.id
        if let id = vehicleID, let vehicle { trails[id, default: Trail()].add(vehicle.position, at: clock.now) }
        return (isAnother, flight?.look() ?? [])
    }

    /// Asks the selected vehicle what it allows and where its world lies.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    public func askVehicle() async throws(LinkError) {
        guard let flight else { return }
        let envelope = try await flight.readEnvelope()
        if let origin = envelope.worldOrigin, let found = try? WorldSession(vehicle: origin) {
            session = found
            for each in desk.flights.values { each.session = found }
            place()
        }
        settingsChanged()
    }

    /// Where the selected vehicle is; `nil` when it does not tell.
    public var vehicle: IndoorVehicle? {
        guard let pose = fleet.selected?.link.latestTelemetry?.pose,
            let position = WorldPosition(session: session).position(of: pose.value)
        else { return nil }
        return IndoorVehicle(
            position: position, headingRadians: pose.value.headingRadians,
            isOld: pose.age(now: clock.now) > .seconds(1))
    }

    /// Where it was in the last minute.
    public var trail: [Vector3] { vehicleID.flatMap { trails[$0]?.places } ?? [] }

    private func selectedLink() throws(MapFailure) -> any UAVLink {
        guard let vehicle = fleet.selected else {
            throw .link(LinkError(.notConnected, "nobody is logged in to a vehicle"))
        }
        return vehicle.link
    }

    // MARK: The trajectory

    /// Whether the plan belongs to the route, the map and the settings as they are now.
    public var isPlanCurrent: Bool { planned == wanted }

    /// The settings, the map or the vehicle changed: plans are made anew.
    public func settingsChanged() { settingsRevision += 1 }

    private var wanted: PlanKey { PlanKey(route: desk.editor.revision, settings: settingsRevision) }

    /// Makes the trajectory of the route as it is now; returns when it is up to date, or somebody else makes it.
    public func replan() async {
        guard !isPlanning else { return }
        isPlanning = true
        defer { isPlanning = false }
        while planned != wanted, !Task.isCancelled {
            let key = wanted
            let points = desk.editor.points
            (plan, planProblem) = (nil, nil)
            if points.count > 1 {
                do throws(IndoorPlanProblem) {
                    plan = try await planner.plan(
                        IndoorPlanRequest(
                            points: points, map: picture, start: start, settings: desk.planning), conditions)
                } catch { planProblem = error }
            }
            planned = key
        }
    }

    /// Where a flight begins: where the vehicle flies, or at the first point while it stands on the ground.
    private var start: Vector3? {
        let state = fleet.selected?.link.latestTelemetry?.flight?.value.state
        return state == .flying ? vehicle?.position : nil
    }

    /// The corners that the plan goes around become points of the route, to be edited; from then on the way is flown as it is
    /// drawn.
    ///
    /// - Returns: whether there was a plan.
    public func takePath() -> Bool {
        guard let plan, isPlanCurrent, plan.path.count > 1 else { return false }
        desk.editor.replace(with: plan.path)
        desk.planning.goesAround = false
        settingsChanged()
        return true
    }

    /// What is known now, for a plan.
    private var conditions: FlightConditions {
        flight?.conditions(desk.settings, volume: nil) ?? FlightConditions(settings: desk.settings)
    }

    /// What a person must agree to before the trajectory is sent.
    ///
    /// - Returns: `nil` when there is no trajectory.
    public func confirmation() async -> FlightConfirmation? {
        // Battery and place change while one edits: what is agreed to is checked with what is known now.
        settingsChanged()
        await replan()
        guard let plan, isPlanCurrent else { return nil }
        return FlightConfirmation(plan.trajectory, leastClearanceMetres: plan.leastClearanceMetres)
    }
}
