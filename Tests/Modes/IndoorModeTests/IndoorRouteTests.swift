import FlightControl
import RouteKit
import ModeKit
import ModeTestKit
import RouteFlight
import Trajectories
import IndoorMode
import PointCloud
import Testing
import UAVLink

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
        bench.send(.route(.placeAtCursor), .route(.placeAtCursor))
        #expect(bench.view.state.route.points.count == 1)
        #expect(bench.stage.notices.last?.text.hasPrefix("point 1 is here already") == true)
        bench.send(.route(.moveCursor(columns: 10, rows: 0)), .route(.placeAtCursor))
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
        bench.instance.detach()
    }

    @Test("a point says its altitude, heading, hold, camera and snapshot as they were typed")
    func figures() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        bench.send(.ask(.altitude))
        #expect(bench.view.state.prompt == nil)
        bench.send(.route(.placeAtCursor), .ask(.altitude), .answer("high"))
        #expect(bench.view.state.prompt?.note == "expected metres from -1000 to 1000")
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
        bench.instance.detach()
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
        bench.instance.detach()
    }
}
