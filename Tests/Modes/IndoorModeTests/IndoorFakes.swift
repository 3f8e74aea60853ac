import FlightControl
import IndoorMode
import IntegrationKit
import ModeKit
import ModeTestKit
import Planning
import PointCloud
import RouteFlight
import RouteKit
import Testing
import Trajectories
import UAVLink
import UAVTestKit

/// The indoor screen as a test sees it.
@MainActor
final class FakeIndoorView: IndoorView {
    var state = IndoorScreenState()
    /// A view holds its presenter, and nothing else does.
    var presenter: IndoorPresenter?
    /// The texts of the prompts in the order in which they were shown; `nil` for none.
    private(set) var promptTexts: [String?] = []

    func show(_ state: IndoorScreenState) {
        if state.prompt != self.state.prompt { promptTexts.append(state.prompt?.text) }
        self.state = state
    }
}

/// A mode with a fake screen and a fake vehicle.
@MainActor
final class IndoorBench {
    let stage = FakeStage()
    let timeSource: FakeTimeSource
    let link: FakeLink
    let desk: IndoorDocument
    let view = FakeIndoorView()
    let instance: ModeInstance
    let folder: TemporaryFolder
    let fleet: Fleet

    init(
        _ link: FakeLink = FakeLink(), fleet: Fleet? = nil, timeSource: FakeTimeSource = FakeTimeSource(),
        planner: any IndoorPlanning = CollisionFreePlanning(), desk: IndoorDocument = IndoorDocument()
    ) throws {
        self.link = link
        self.timeSource = timeSource
        self.desk = desk
        folder = try TemporaryFolder()
        self.fleet = fleet ?? .withFake(link, timeSource: timeSource)
        let builder = IndoorBuilder(
            .init(fleet: self.fleet, desk: desk, timeSource: timeSource, planner: planner))
        instance = builder.build(on: stage) { [view] presenter in
            view.presenter = presenter
            return view
        }
        send(.resize(columns: 60, rows: 20))
    }

    func send(_ intents: IndoorIntent...) { for intent in intents { view.presenter?.handle(intent) } }

    /// A room of 8 by 4 by 3 m around the origin, floor at -1.
    static let room = PointCloud(offsets: corners)

    private static var corners: [SIMD3<Float>] {
        var all: [SIMD3<Float>] = []
        for x in -4...4 {
            for y in -2...2 {
                for z in -1...2 { all.append(SIMD3(Float(x), Float(y), Float(z))) }
            }
        }
        return all
    }

    func write(_ cloud: PointCloud = room, to name: String = "room.pcd") async throws -> String {
        let path = folder.path + "/" + name
        try await MapInteractor().write(cloud, to: path, .binary)
        return path
    }

    func open(_ cloud: PointCloud = room) async throws {
        let path = try await write(cloud)
        send(.ask(.open), .answer(path))
        #expect(await reaches { self.view.state.picture != nil && self.view.state.work == nil })
    }

    /// Lets tasks and threads run until the screen shows what is waited for.
    func reaches(_ condition: () -> Bool) async -> Bool {
        await timeSource.fake.run(until: condition)
    }
}

/// Finds what a test wants to be found.
struct FakeIndoorPlanner: IndoorPlanning {
    var problem: IndoorPlanProblem?
    var failure: String?
    var warnings: [String] = []
    /// A check fails for a route of more points.
    var mostPoints = Int.max
    /// Whether the path begins where the vehicle is.
    var beginsAtVehicle = false

    func plan(
        _ request: IndoorPlanRequest, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan {
        if let problem { throw problem }
        var plan: TrajectoryPlan
        let start = beginsAtVehicle ? request.start.map { [PlannedPoint(position: $0)] } ?? [] : []
        do throws(RouteError) {
            plan = try await TrajectoryPlan.make(through: start + request.points, conditions)
        } catch {
            throw IndoorPlanProblem(error.what)
        }
        if request.points.count > mostPoints {
            plan.report.findings.append(TrajectoryFinding(.distance, text: "too many points"))
        }
        if let failure { plan.report.findings.append(TrajectoryFinding(.distance, text: failure)) }
        plan.report.findings += warnings.map { TrajectoryFinding(.distance, .warning, text: $0) }
        // One corner more than the points.
        let corner = PlannedPoint(position: Vector3(x: 0, y: 1, z: 1))
        return IndoorPlan(plan, leastClearanceMetres: 0.4, path: [request.points[0], corner, request.points[1]])
    }
}

extension IndoorBench {
    /// A bench with a map, whose vehicle flies, and with a route of two points.
    static func withRoute(_ planner: FakeIndoorPlanner = .init()) async throws -> IndoorBench {
        let bench = try IndoorBench(planner: planner)
        bench.link.setVehicleSilent(true)
        try await bench.link.connect(within: .seconds(5))
        try await bench.open()
        // It fits between the points of the room.
        bench.desk.planning.inspection.body = VehicleBody(radiusMetres: 0.2, marginMetres: 0.1)
        bench.tell(.flying)
        bench.send(.route(.placeAtCursor), .route(.moveCursor(columns: 8, rows: 0)), .route(.placeAtCursor))
        return bench
    }

    /// Where the vehicle is: beside the first point of the route.
    static let place = Vector3(x: 0.3, y: 0.3, z: 0.5)

    /// The vehicle tells its flight state, and where it is.
    func tell(_ state: FlightState, at position: Vector3 = IndoorBench.place) {
        let now = timeSource.clock.now
        var telemetry = link.vehicle.telemetry(name: "uav1", now: now)
        telemetry.pose = Sample(Pose(frame: .worldOrigin, positionMetres: position, headingRadians: 0), at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: now)
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: state.isAirborne ? "MpcTracker" : "NullTracker", controller: "Se3Controller",
                takesReferences: state == .flying, hasGoal: false), at: now)
        link.publish(telemetry)
    }
}
