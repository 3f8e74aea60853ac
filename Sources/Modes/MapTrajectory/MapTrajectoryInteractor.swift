public import FlightControl
public import ModeKit
public import RouteFlight
public import Geodesy
internal import RouteFiles
public import Trajectories
public import UAVLink
internal import VehicleAccess

/// Edits the route on the desk, makes and checks its trajectory, and flies it with the selected vehicle.
@MainActor
public final class MapTrajectoryInteractor {
    /// The route, the world and the settings.
    public let desk: RouteDesk
    private let fleet: Fleet
    private let clock: any MonotonicClock
    private let files: any FileAccess
    private var vehicle: Int?
    private var trails: [Int: Trail] = [:]
    private var planned: PlanKey?
    private var settingsRevision = 0
    private var isPlanning = false

    /// Where the world lies; `nil` while nobody knows.
    public private(set) var session: WorldSession?
    /// Where the vehicle may fly; `nil` while nobody knows.
    public private(set) var volume: FlyableVolume?
    /// What is wrong with what was said of the world; `nil` when nothing is.
    public private(set) var worldProblem: String?
    /// The background in the world; empty while it is not projected.
    public private(set) var background: [MapShape] = []
    /// The trajectory of the route as it was when it was made.
    public private(set) var plan: TrajectoryPlan?
    /// Why there is none.
    public private(set) var planProblem: RouteError?

    private struct PlanKey: Hashable {
        var route: Int
        var settings: Int
    }

    /// An interactor over the desk.
    public init(fleet: Fleet, desk: RouteDesk, clock: any MonotonicClock, files: any FileAccess) {
        self.fleet = fleet
        self.desk = desk
        self.clock = clock
        self.files = files
        refreshWorld()
    }

    // MARK: The vehicle

    /// The flight with the selected vehicle; `nil` when nobody is logged in.
    public var flight: TrajectoryFlight? {
        guard let selected = fleet.selected else { return nil }
        if let known = desk.flights[selected.id] { return known }
        let made = TrajectoryFlight(FlightDependency(link: selected.link, clock: clock))
        desk.flights[selected.id] = made
        return made
    }

    /// Looks at the vehicles.
    ///
    /// - Returns: whether another vehicle is selected than at the last look, and the points whose snapshots are due.
    public func look() -> (isAnother: Bool, dueSnapshots: [Int]) {
        let now = clock.now
        let isAnother = fleet.selected?.id != vehicle
        vehicle = fleet.selected?.id
        for each in fleet.vehicles {
            guard let telemetry = each.link.latestTelemetry, let pose = telemetry.pose,
                let position = WorldPosition(session: session).position(of: pose.value)
            else { continue }
            trails[each.id, default: Trail()].add(position, at: now)
            let state = telemetry.flight?.value.state
            if state == .disarmed || state == .armed {
                desk.homes[each.id] = MapHome(place: position.onMap, z: position.z)
            }
        }
        return (isAnother, flight?.look() ?? [])
    }

    /// Asks the selected vehicle what it allows and where its world lies.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    public func askVehicle() async throws(LinkError) {
        guard let flight else { return }
        let envelope = try await flight.readEnvelope()
        if let origin = envelope.worldOrigin { desk.setup.vehicleOrigin = origin }
        refreshWorld()
        settingsChanged()
    }

    /// The vehicles that tell where they are.
    public var vehicles: [MapVehicle] {
        let now = clock.now
        return fleet.vehicles.compactMap { each in
            guard let pose = each.link.latestTelemetry?.pose,
                let position = WorldPosition(session: session).position(of: pose.value)
            else { return nil }
            return MapVehicle(
                place: position.onMap, headingRadians: pose.value.headingRadians,
                trail: trails[each.id]?.places.map(\.onMap) ?? [], title: each.title.harmlessLine,
                isSelected: each.id == fleet.selectedID, isOld: pose.age(now: now) > Self.oldPose)
        }
    }

    /// A pose that is older than this is marked: ten frames of the slowest link that steers.
    static let oldPose: Duration = .seconds(1)

    /// Where the selected vehicle took off.
    public var home: MapPlace? { fleet.selectedID.flatMap { desk.homes[$0]?.place } }

    // MARK: The world

    /// What the setup says, worked out anew; the settings of plans change with it.
    public func refreshWorld() {
        worldProblem = nil
        do {
            session = try desk.setup.session()
            volume = try desk.setup.volume(session)
        } catch {
            worldProblem = error.what
            session = nil
            volume = nil
        }
        for flight in desk.flights.values { flight.session = session }
        settingsChanged()
    }

    /// Takes a world file.
    ///
    /// - Throws: ``FileAccessError`` for a file that cannot be read, or that is no world file.
    public func openWorld(_ path: String) async throws(FileAccessError) {
        let bytes = try await files.read(path, atMost: 1 << 24)
        do {
            let world = try WorldFileReader.read(bytes, source: path)
            desk.setup.worldFile = world
            desk.setup.worldFileName = path
            desk.setup.typed = nil
        } catch {
            throw FileAccessError(error.what)
        }
        refreshWorld()
    }

    /// Takes a file of roads and buildings.
    ///
    /// - Throws: ``FileAccessError`` for a file that cannot be read, or that is none.
    public func openBackground(_ path: String) async throws(FileAccessError) {
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

    /// Brings the background into the world; nothing happens while that is not known.
    public func projectBackground() async {
        guard let session else {
            background = []
            return
        }
        background = await BackgroundProjection.shapes(desk.features, session)
    }

    // MARK: Files

    /// What brings files into this world.
    public func resolver(_ defaults: RouteDefaults = .init()) -> RouteResolver {
        RouteResolver(
            references: WorldReferences(
                session: session, geoidSeparationMetres: desk.setup.geoidSeparationMetres,
                groundZMetres: desk.setup.groundZMetres,
                homeZMetres: fleet.selectedID.flatMap { desk.homes[$0]?.z }),
            altitudeOfOthers: defaults.altitude, frameOfOthers: defaults.frame, headingOfOthers: defaults.heading)
    }

    /// Takes the points of a file; what was there can be taken back.
    ///
    /// - Returns: what had to be said about the file.
    /// - Throws: ``FileAccessError`` or ``RouteLoadingError``.
    public func open(_ path: String, _ defaults: RouteDefaults = .init()) async throws -> [String] {
        let bytes = try await files.read(path, atMost: LocalFiles.largest)
        let resolver = resolver(defaults)
        let loaded = try await Self.load(bytes, path, resolver)
        desk.editor.replace(with: loaded.points)
        desk.routePath = path
        return loaded.notes
    }

    @concurrent
    private static func load(
        _ bytes: [UInt8], _ name: String, _ resolver: RouteResolver
    ) async throws -> LoadedRoute {
        try LoadedRoute(bytes, name: name, resolver: resolver)
    }

    /// Writes the points; a file that is there is replaced only when it is the one that the route came from.
    ///
    /// - Returns: what the format has no place for.
    /// - Throws: ``FileAccessError``.
    public func save(_ path: String) async throws(FileAccessError) -> [String] {
        guard let format = RouteFormat.named(path) else {
            let known = RouteFormat.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw FileAccessError("what kind of file \(path.harmlessLine) is to be, its name does not say: \(known)")
        }
        let written: WrittenRoute
        do {
            let route = try Route(planned: desk.editor.points, for: format, session: session)
            written = try RouteFiles.write(route, as: format)
        } catch {
            throw FileAccessError(error.what)
        }
        try await files.write(written.bytes, to: path, replacing: path == desk.routePath)
        desk.routePath = path
        return written.notes
    }

    // MARK: The trajectory

    /// Whether the plan belongs to the route and the settings as they are now.
    public var isPlanCurrent: Bool { planned == wanted }

    /// The settings or the world changed: plans are made anew.
    public func settingsChanged() { settingsRevision += 1 }

    private var wanted: PlanKey { PlanKey(route: desk.editor.revision, settings: settingsRevision) }

    /// Makes the trajectory of the route as it is now, beside the main actor; returns when it is up to date.
    public func replan() async {
        guard !isPlanning else { return }
        isPlanning = true
        defer { isPlanning = false }
        while planned != wanted, !Task.isCancelled {
            let key = wanted
            let points = desk.editor.points
            guard points.count > 1, let conditions else {
                (plan, planProblem, planned) = (nil, nil, key)
                continue
            }
            do {
                plan = try await TrajectoryPlan.make(through: points, conditions)
                planProblem = nil
            } catch {
                plan = nil
                planProblem = error
            }
            planned = key
        }
    }

    private var conditions: FlightConditions? {
        flight?.conditions(desk.settings, volume: volume) ?? FlightConditions(volume: volume, settings: desk.settings)
    }

    /// What a person must agree to before the trajectory is sent, checked with what is known now.
    ///
    /// - Returns: `nil` when there is no trajectory.
    public func confirmation() async -> FlightConfirmation? {
        await replan()
        guard let plan, let conditions, isPlanCurrent else { return nil }
        var fresh = plan
        fresh = await Self.checked(plan, conditions)
        if let warning = desk.setup.mismatchWarning(session) {
            fresh.report.findings.insert(TrajectoryFinding(.safetyArea, text: warning), at: 0)
        }
        return FlightConfirmation(fresh)
    }

    @concurrent
    private static func checked(_ plan: TrajectoryPlan, _ conditions: FlightConditions) async -> TrajectoryPlan {
        TrajectoryPlan(plan.generated, conditions)
    }
}

extension Vector3 {
    /// Seen from above.
    var onMap: MapPlace { MapPlace(east: x, north: y) }
}
