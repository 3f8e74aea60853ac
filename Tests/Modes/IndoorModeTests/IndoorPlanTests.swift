import FlightControl
import IndoorMode
import IntegrationKit
import ModeKit
import ModeTestKit
import Planning
import RouteFlight
import RouteKit
import Testing
import Trajectories
import UAVLink
import UAVTestKit

@MainActor
@Suite("Indoor: the plan")
struct IndoorPlanTests {
    @Test("where there is no plan, it says why and where, and nothing can be sent")
    func noPlan() async throws {
        let place = Vector3(x: 3, y: 1, z: 0)
        let bench = try await IndoorBench.withRoute(
            FakeIndoorPlanner(problem: .init("point 2 is inside a wall", place: place)))
        #expect(await bench.reaches { bench.view.state.route.stage == .failed })
        #expect(bench.view.state.route.findings.map(\.text) == ["point 2 is inside a wall"])
        bench.send(.route(.nextFinding(1)))
        #expect(bench.view.state.cursor == place && bench.view.state.route.chosenFinding == 0)
        // Beside a small map there is no room for all of it.
        #expect(bench.stage.notices.last == Notice(.error, "point 2 is inside a wall", scope: .screen))
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.stage.notices.last?.text == "point 2 is inside a wall" })
        #expect(bench.view.state.confirmation == nil)
        bench.instance.detach()
    }

    @Test("how the way is found is chosen by keys, and the way becomes points that are flown as they are drawn")
    func choices() async throws {
        let bench = try await IndoorBench.withRoute()
        #expect(bench.desk.planning.avoidsObstacles)
        #expect(bench.desk.planning.inspection.order == .given)
        bench.send(.toggleBestOrder, .ask(.unknownSpace))
        #expect(bench.view.state.prompt?.text == "blocked")
        bench.send(.answer("yes"))
        #expect(bench.view.state.prompt?.note == "expected 'free' or 'blocked'")
        #expect(!bench.desk.planning.inspection.unknownIsOpen)
        // In the words of the command line's option, too.
        bench.send(.answer("open"), .ask(.unknownSpace))
        #expect(bench.desk.planning.inspection.unknownIsOpen && bench.view.state.prompt?.text == "free")
        bench.send(.answer("closed"), .ask(.unknownSpace))
        #expect(!bench.desk.planning.inspection.unknownIsOpen)
        bench.send(.answer("free"), .ask(.body), .answer("0.3"))
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
        bench.instance.detach()
    }

    @Test("what taking the path has switched off comes back with the points, and goes again with the path")
    func undoneTaking() async throws {
        let bench = try await IndoorBench.withRoute()
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.takePath)
        #expect(bench.desk.editor.points.count == 3 && !bench.desk.planning.avoidsObstacles)
        bench.send(.route(.undo))
        #expect(bench.desk.editor.points.count == 2 && bench.desk.planning.avoidsObstacles)
        #expect(bench.stage.notices.last?.text == "the path avoids obstacles of the map")
        bench.send(.route(.redo))
        #expect(bench.desk.editor.points.count == 3 && !bench.desk.planning.avoidsObstacles)
        #expect(bench.stage.notices.last?.text == "the path is flown as drawn, and checked")
        // Steps that change a point leave it alone.
        bench.send(.ask(.obstacles), .answer("avoid"), .route(.raise(metres: 0.1)), .route(.undo))
        #expect(bench.desk.editor.points.count == 3 && bench.desk.planning.avoidsObstacles)
        bench.instance.detach()
    }

    @Test("the hold of a point without one of its own is what the plan does there")
    func plannedHold() async throws {
        let bench = try await IndoorBench.withRoute()
        func hold() -> String? { bench.view.state.route.point.first { $0.label == "hold" }?.value }
        bench.send(.route(.selectNext(1)))
        #expect(await bench.reaches { hold() == "2.0 s, as planned" }, "\(bench.view.state.route.point)")
        // The prompt shows the same, and says what 0 means.
        bench.send(.ask(.hold))
        #expect(bench.view.state.prompt?.text == "2.0")
        #expect(bench.view.state.prompt?.about == "0 holds as planned, 2.0 s")
        bench.send(.answer("3"), .ask(.hold))
        #expect(bench.view.state.prompt?.text == "3.0")
        bench.send(.answer("0"))
        #expect(await bench.reaches { hold() == "2.0 s, as planned" }, "\(bench.view.state.route.point)")
        bench.send(.ask(.obstacles), .answer("straight"))
        #expect(await bench.reaches { hold() == "0.0 s" }, "\(bench.view.state.route.point)")
        bench.send(.ask(.hold))
        #expect(bench.view.state.prompt?.text == "0.0" && bench.view.state.prompt?.about == "")
        bench.instance.detach()
    }

    @Test func `obstacles of the map are ignored only after the word for it was typed`() async throws {
        let bench = try await IndoorBench.withRoute()
        bench.send(.ask(.obstacles))
        #expect(bench.view.state.prompt?.text == "avoid" && bench.desk.planning.avoidsObstacles)
        bench.send(.answer("off"))
        #expect(bench.view.state.prompt?.note == "expected 'avoid' or 'straight'")
        #expect(bench.desk.planning.avoidsObstacles)
        bench.send(.answer("straight"))
        #expect(bench.view.state.prompt == nil && !bench.desk.planning.avoidsObstacles)
        #expect(bench.stage.notices.last?.weight == .warning)
        bench.instance.detach()
    }

    @Test func `a path that became the route replaces the file of its points only after a question`() async throws {
        let bench = try await IndoorBench.withRoute()
        let path = bench.folder.path + "/walls.csv"
        bench.send(.ask(.savePoints), .answer(path))
        #expect(await bench.reaches { !bench.desk.hasUnsavedPoints })
        let points = bench.desk.editor.points
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.takePath, .ask(.savePoints), .answer(path))
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Replace this file?" })
        bench.send(.route(.decline), .cancelPrompt, .route(.undo))
        #expect(bench.desk.editor.points == points)
        // The points themselves are written to their own file without one, as on the map.
        func written() -> Int { bench.stage.notices.count { $0.text == "points written to \(path)" } }
        #expect(written() == 1)
        bench.send(.ask(.savePoints), .answer(path))
        #expect(await bench.reaches { written() == 2 })
        #expect(bench.view.state.confirmation == nil)
        bench.instance.detach()
    }

    @Test("the way that was found is written as points, and read again")
    func exported() async throws {
        let bench = try await IndoorBench.withRoute()
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.takePath)
        let drawn = bench.desk.editor.points.map(\.position)
        #expect(drawn.count == 3 && drawn.contains(Vector3(x: 0, y: 1, z: 1)))
        let path = bench.folder.path + "/way.csv"
        bench.send(.ask(.savePoints), .answer(path))
        #expect(await bench.reaches { !bench.desk.hasUnsavedPoints })
        bench.send(.route(.clear), .ask(.openPoints), .answer(path))
        #expect(await bench.reaches { bench.desk.editor.points.count == 3 })
        #expect(zip(bench.desk.editor.points.map(\.position), drawn).allSatisfy { ($0 - $1).length < 1e-3 })
        bench.instance.detach()
    }
}
