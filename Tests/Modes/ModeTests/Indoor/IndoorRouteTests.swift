import FlightControl
import RouteKit
import ModeKit
import IndoorMode
import ReportKit
import RouteFlight
import Planning
import PointCloud
import Testing
import Trajectories
import UAVLink
import UAVTestKit

@MainActor
@Suite("Indoor: the route")
struct IndoorRouteTests {
    @Test("points are placed, chosen, moved, raised, inserted, deleted; steps are taken back and done again")
    func editing() async throws {
        let bench = try IndoorBench()
        bench.send(.route(.placeAtCursor))
        #expect(bench.view.state.route.points.isEmpty)
        #expect(bench.stage.notices.last?.text.contains("no map is open") == true)
        try await bench.open()
        bench.send(.route(.placeAtCursor), .route(.moveCursor(columns: 10, rows: 0)), .route(.placeAtCursor))
        #expect(bench.view.state.route.points.map(\.label) == ["1", "2"])
        let first = bench.view.state.route.points[0].position
        #expect((first - Vector3(x: 0, y: 0, z: 0.5)).length < 1e-6)
        bench.send(.route(.selectNext(1)), .route(.raise(metres: 1)), .route(.nudge(columns: 0, rows: 1)))
        let moved = bench.view.state.route.points[0].position
        #expect(abs(moved.z - 1.5) < 1e-6 && moved.y > 0)
        bench.send(.route(.insertHalfWay))
        #expect(bench.view.state.route.points.count == 3)
        #expect(bench.view.state.route.points[1].isSelected)
        bench.send(.route(.deletePoint), .route(.undo))
        #expect(bench.view.state.route.points.count == 3)
        bench.send(.route(.redo))
        #expect(bench.view.state.route.points.count == 2)
        #expect(bench.view.state.route.canUndo)
        bench.send(.route(.reverse), .route(.clear))
        #expect(bench.view.state.route.points.isEmpty)
        bench.module.detach()
    }

    @Test("a point says its altitude, heading, hold, camera and snapshot as they were typed")
    func figures() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        bench.send(.ask(.altitude))
        #expect(bench.view.state.prompt == nil)
        bench.send(.route(.placeAtCursor), .ask(.altitude), .answer("high"))
        #expect(bench.view.state.prompt?.note == "expected metres")
        bench.send(.answer("1.25"), .ask(.heading), .answer("90"), .ask(.hold), .answer("5"))
        bench.send(.ask(.cameraPitch), .answer("-30"), .route(.toggleSnapshot))
        let point = try #require(bench.desk.editor.selected)
        #expect(point.position.z == 1.25)
        #expect(point.heading == .fixed(radians: .pi / 2))
        #expect(point.holdSeconds == 5)
        #expect(abs((point.cameraPitchRadians ?? 0) + .pi / 6) < 1e-9)
        #expect(bench.view.state.route.points[0].takesSnapshot && bench.view.state.route.points[0].holds)
        bench.send(.route(.turn(degrees: -90)))
        #expect(bench.desk.editor.selected?.heading == .fixed(radians: 0))
        bench.send(.ask(.heading), .answer("to 3 -1"))
        #expect(bench.desk.editor.selected?.heading == .towards(xMetres: 3, yMetres: -1))
        bench.send(.route(.nextHeadingRule))
        #expect(bench.desk.editor.selected?.heading == .alongPath)
        bench.send(.ask(.heading), .answer("north"))
        #expect(bench.view.state.prompt?.note.contains("expected degrees") == true)
        bench.send(.cancelPrompt, .ask(.speed), .answer("1.5"), .ask(.deviation), .answer("straight"))
        #expect(bench.desk.settings.options.cruiseSpeed == 1.5)
        #expect(bench.desk.settings.options.shape == .straight)
        bench.module.detach()
    }

    @Test("the mouse chooses and drags points, puts the cross, and drags the view")
    func mouse() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let plot = DotGrid(columns: 60, rows: 20)
        func dot(_ place: Vector3) -> IndoorDot {
            let at = bench.view.state.camera.dot(of: place, on: plot)
            return IndoorDot(x: at.x, y: at.y)
        }
        bench.send(.place(dot(Vector3(x: 1, y: 1, z: 0.5))))
        #expect((bench.view.state.route.points[0].position - Vector3(x: 1, y: 1, z: 0.5)).length < 1e-6)
        bench.send(.press(dot(Vector3(x: 1, y: 1, z: 0.5))), .drag(dot(Vector3(x: 2, y: -1, z: 0.5))), .release)
        #expect((bench.view.state.route.points[0].position - Vector3(x: 2, y: -1, z: 0.5)).length < 1e-6)
        bench.send(.press(dot(Vector3(x: -3, y: 1, z: 0.5))))
        #expect((bench.view.state.cursor - Vector3(x: -3, y: 1, z: 0.5)).length < 1e-6)
        let before = bench.view.state.camera
        bench.send(.drag(IndoorDot(x: dot(Vector3(x: -3, y: 1, z: 0.5)).x + 10, y: 20)), .release)
        #expect(bench.view.state.camera.centre.x < before.centre.x)
        // From the side a point keeps its depth and changes its height.
        bench.send(.look(.side), .route(.fit))
        let point = bench.view.state.route.points[0].position
        bench.send(.press(dot(point)), .drag(dot(point + Vector3(x: 0, y: 0, z: 1))), .release)
        #expect((bench.view.state.route.points[0].position - point - Vector3(x: 0, y: 0, z: 1)).length < 1e-6)
        bench.module.detach()
    }
}

@MainActor
@Suite("Indoor: the flight")
struct IndoorFlightTests {
    /// Finds what a test wants to be found.
    private struct FakePlanner: IndoorPlanning {
        var problem: IndoorPlanProblem?
        var failure: String?

        func plan(
            _ request: IndoorPlanRequest, _ conditions: FlightConditions
        ) async throws(IndoorPlanProblem) -> IndoorPlan {
            if let problem { throw problem }
            var plan: TrajectoryPlan
            do throws(RouteError) { plan = try await TrajectoryPlan.make(through: request.points, conditions) } catch {
                throw IndoorPlanProblem(error.what)
            }
            if let failure { plan.report.findings.append(TrajectoryFinding(.distance, text: failure)) }
            // One corner more than the points.
            let corner = PlannedPoint(position: Vector3(x: 0, y: 1, z: 1))
            return IndoorPlan(plan, leastClearanceMetres: 0.4, path: [request.points[0], corner, request.points[1]])
        }
    }

    private func bench(_ planner: FakePlanner = .init()) async throws -> IndoorBench {
        let bench = try IndoorBench(planner: planner)
        try await bench.link.connect(within: .seconds(5))
        try await bench.open()
        bench.send(.route(.placeAtCursor), .route(.moveCursor(columns: 8, rows: 0)), .route(.placeAtCursor))
        return bench
    }

    private func uploads(_ bench: IndoorBench) -> Int {
        bench.link.asked.count { if case .command(.uploadTrajectory) = $0 { true } else { false } }
    }

    private func asks(_ command: Command, _ bench: IndoorBench) -> Bool { bench.link.asked.contains(.command(command)) }

    @Test("nothing is sent before a yes, and nothing flies before another")
    func confirming() async throws {
        let bench = try await bench()
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        #expect(bench.view.state.path.count > 10)
        #expect(bench.view.state.route.plan.contains { $0.label == "clearance" && $0.value == "0.40 m" })
        bench.send(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text.contains("no trajectory was sent yet") == true)
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Send this trajectory?" })
        #expect(bench.view.state.confirmation?.facts.contains { $0.value == "0.40 m" } == true)
        bench.send(.decline)
        #expect(bench.view.state.confirmation == nil)
        #expect(uploads(bench) == 0)
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        // It needs no force, and a force is no yes.
        bench.send(.route(.force))
        #expect(bench.view.state.confirmation != nil)
        bench.send(.confirm)
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        #expect(uploads(bench) == 1)
        bench.send(.route(.act(.goToStart)))
        #expect(bench.view.state.confirmation?.title == "Fly to the first point?")
        #expect(!asks(.goToTrajectoryStart, bench))
        bench.send(.confirm)
        #expect(await bench.reaches { asks(.goToTrajectoryStart, bench) })
        bench.send(.route(.act(.start)), .confirm)
        #expect(await bench.reaches { asks(.startTrajectory, bench) })
        bench.send(.route(.act(.stop)))
        #expect(await bench.reaches { bench.view.state.route.stage == .stopped })
        #expect(asks(.stopTrajectory, bench))
        bench.module.detach()
    }

    @Test("where a check failed, a plain yes sends nothing")
    func forcing() async throws {
        let bench = try await bench(FakePlanner(failure: "too near to the wall"))
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        #expect(await bench.reaches { bench.view.state.route.stage == .failed })
        #expect(bench.view.state.route.findings.first?.text == "too near to the wall")
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation?.needsForce == true })
        bench.send(.confirm)
        #expect(bench.view.state.confirmation != nil)
        #expect(uploads(bench) == 0)
        bench.send(.route(.force))
        #expect(await bench.reaches { uploads(bench) == 1 })
        bench.module.detach()
    }

    @Test("where there is no plan, it says why and where, and nothing can be sent")
    func noPlan() async throws {
        let place = Vector3(x: 3, y: 1, z: 0)
        let bench = try await bench(FakePlanner(problem: .init("point 2 is inside a wall", place: place)))
        #expect(await bench.reaches { bench.view.state.route.stage == .failed })
        #expect(bench.view.state.route.findings.map(\.text) == ["point 2 is inside a wall"])
        bench.send(.route(.nextFinding(1)))
        #expect(bench.view.state.cursor == place)
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.stage.notices.last?.text == "point 2 is inside a wall" })
        #expect(bench.view.state.confirmation == nil)
        bench.module.detach()
    }

    @Test("a refusal of the vehicle is told, and nothing counts as sent")
    func refusal() async throws {
        let bench = try await bench()
        bench.link.always(.reply(CommandReply(accepted: false, message: "not flying")))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.confirm)
        #expect(await bench.reaches { bench.stage.notices.last?.text.contains("not flying") == true })
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.module.detach()
    }

    /// A bench whose vehicle holds the route.
    private func sent() async throws -> IndoorBench {
        let bench = try await bench()
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.confirm)
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        return bench
    }

    @Test("the way to the start is drawn and its length asked about, before the vehicle flies it")
    func wayToStart() async throws {
        let bench = try await sent()
        let (vehicle, start) = (bench.link.vehicle.position, bench.desk.editor.points[0].position)
        #expect(bench.view.state.wayToStart == [vehicle, start])
        bench.send(.route(.act(.goToStart)))
        let metres = (start - vehicle).length.formatted(decimals: 1)
        #expect(
            bench.view.state.confirmation?.facts.contains(LabeledValue("to the start", "\(metres) m, straight")) == true
        )
        bench.send(.decline, .route(.act(.start)), .confirm)
        #expect(await bench.reaches { bench.view.state.wayToStart.isEmpty })
        #expect(asks(.startTrajectory, bench))
        bench.module.detach()
    }

    @Test("a route that was changed since is warned about before the older one is flown")
    func older() async throws {
        let bench = try await sent()
        let warning = "the route has changed; the vehicle has the version that was sent"
        bench.send(.route(.act(.start)))
        #expect(bench.view.state.confirmation?.findings.isEmpty == true)
        bench.send(.decline, .route(.raise(metres: 0.1)))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.route(.act(.start)))
        #expect(bench.view.state.confirmation?.findings.map(\.text) == [warning])
        bench.send(.decline, .route(.undo))
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        bench.module.detach()
    }

    @Test("a stop from outside takes the question back; what was stopped is stopped after leaving, too")
    func leaving() async throws {
        let bench = try await sent()
        bench.send(.route(.act(.start)))
        bench.module.stopMotion(.person)
        #expect(bench.view.state.confirmation == nil)
        bench.send(.confirm)
        await settle()
        #expect(!asks(.startTrajectory, bench))
        bench.send(.route(.act(.start)), .confirm)
        #expect(await bench.reaches { asks(.startTrajectory, bench) })
        // Left at once: the stop is commanded nevertheless.
        bench.send(.route(.act(.stop)))
        bench.module.detach()
        await settle()
        #expect(asks(.stopTrajectory, bench))
        let again = try IndoorBench(
            bench.link, fleet: bench.fleet, timeSource: bench.timeSource, planner: FakePlanner(), desk: bench.desk)
        #expect(await again.reaches { again.view.state.route.stage == .stopped })
        again.send(.route(.act(.resume)))
        #expect(again.view.state.confirmation?.title == "Resume the trajectory?")
        again.module.detach()
    }

    @Test("how the way is found is chosen by keys, and the way becomes points that are flown as they are drawn")
    func choices() async throws {
        let bench = try await bench()
        #expect(bench.desk.planning.avoidsObstacles)
        #expect(bench.desk.planning.inspection.order == .given)
        bench.send(.toggleBestOrder, .toggleUnknownSpace, .ask(.body), .answer("0.3"))
        #expect(bench.view.state.prompt?.note.contains("expected two numbers") == true)
        bench.send(.answer("0.3 0.1"), .ask(.freeStart), .answer("0.6"))
        let settings = bench.desk.planning.inspection
        #expect(settings.order == .best && settings.unknownIsOpen && settings.freeAroundStartMetres == 0.6)
        #expect(settings.body == VehicleBody(radiusMetres: 0.3, marginMetres: 0.1))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.takePath)
        #expect(bench.desk.editor.points.count == 3)
        #expect(!bench.desk.planning.avoidsObstacles)
        bench.send(.route(.undo))
        #expect(bench.desk.editor.points.count == 2)
        bench.module.detach()
    }
}

@Suite("Indoor: the way through a map")
struct CollisionFreePlanningTests {
    /// An open box of 12 by 8 by 4 m, seen from its middle, with a wall across the middle that leaves a door at one end.
    private static func hall() throws -> PlacedIndoorMap {
        var points: [SIMD3<Float>] = []
        func wall(_ from: SIMD3<Float>, _ right: SIMD3<Float>, _ up: SIMD3<Float>) {
            for across in 0...60 {
                let start = from + right * (Float(across) / 60)
                for along in 0...60 { points.append(start + up * (Float(along) / 60)) }
            }
        }
        let (x, y, z) = (SIMD3<Float>(12, 0, 0), SIMD3<Float>(0, 8, 0), SIMD3<Float>(0, 0, 4))
        let corner = SIMD3<Float>(-6, -4, 0)
        wall(corner, x, y)
        wall(corner + z, x, y)
        wall(corner, x, z)
        wall(corner + y, x, z)
        wall(corner, y, z)
        wall(corner + x, y, z)
        wall(corner + SIMD3(6, 0, 0), y * 0.7, z)
        return PlacedIndoorMap(id: 1, layers: try HeightLayers(PointCloud(offsets: points)))
    }

    private func request(_ places: Vector3..., map: PlacedIndoorMap?) -> IndoorPlanRequest {
        var request = IndoorPlanRequest(points: places.map { PlannedPoint(position: $0) }, map: map)
        request.settings.inspection.unknownIsOpen = true
        return request
    }

    @Test("the way goes around a wall and tells its clearance; as it is drawn, it would hit the wall, and says so")
    func around() async throws {
        let map = try Self.hall()
        var request = request(Vector3(x: -3, y: -2, z: 2), Vector3(x: 3, y: -2, z: 2), map: map)
        let planner = CollisionFreePlanning()
        let plan = try await planner.plan(request, FlightConditions())
        let least = try #require(plan.leastClearanceMetres)
        #expect(least >= 0.55 - 1e-9)
        // By brute force, at some of the samples.
        let samples = plan.trajectory.generated.trajectory.points.map(\.position)
        var nearest = Double.infinity
        for index in stride(from: 0, to: samples.count, by: max(1, samples.count / 20)) {
            for offset in map.layers.cloud.offsets {
                let way = Vector3(x: Double(offset.x), y: Double(offset.y), z: Double(offset.z)) - samples[index]
                nearest = min(nearest, way.length)
            }
        }
        #expect(nearest >= 0.55 - 1e-6)
        #expect(plan.path.count > 2)
        #expect(plan.facts.map(\.label) == ["path to 2"])
        #expect(plan.trajectory.report.findings.contains { $0.text.contains("counts as free, as set") })
        request.settings.avoidsObstacles = false
        var problem: IndoorPlanProblem?
        do throws(IndoorPlanProblem) { _ = try await planner.plan(request, FlightConditions()) } catch {
            problem = error
        }
        #expect(problem?.text.contains("not safe between its points 1 and 2") == true)
        #expect(abs(problem?.place?.x ?? 9) < 0.7)
    }

    @Test("a point in a wall has no way, and the place is told")
    func blocked() async throws {
        let request = request(
            Vector3(x: -3, y: -2, z: 2), Vector3(x: 0, y: -2, z: 2), map: try Self.hall())
        var problem: IndoorPlanProblem?
        do throws(IndoorPlanProblem) { _ = try await CollisionFreePlanning().plan(request, FlightConditions()) } catch {
            problem = error
        }
        #expect(problem?.text.contains("the vehicle cannot be at point 2") == true)
        #expect(problem?.place != nil)
    }

    @Test("without a map the way is straight, and nobody claims a clearance")
    func noMap() async throws {
        let request = request(.zero, Vector3(x: 2, y: 0, z: 0), map: nil)
        let plan = try await CollisionFreePlanning().plan(request, FlightConditions())
        #expect(plan.leastClearanceMetres == nil)
        #expect(plan.trajectory.report.findings.contains { $0.text.contains("no map is open") })
    }
}
