import FlightControl
import Foundation
import IndoorMode
import IntegrationKit
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import Trajectories
import UAVLink
import UAVTestKit

@MainActor
@Suite("Indoor: a file with more than points")
struct IndoorReplacementTests {
    @Test func `it is written over only after a question, which says what is lost`() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let text = "# of the walls\nx,y,z,speed\n-2,0,1,3\n2,0,1,3\n"
        let path = try bench.folder.write(text, to: "walls.csv")
        bench.send(.ask(.openPoints), .answer(path))
        #expect(await bench.reaches { bench.desk.editor.points.count == 2 })
        bench.send(.route(.raise(metres: 0.1)), .ask(.savePoints), .answer(path))
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Replace this file?" })
        #expect(bench.view.state.confirmation?.facts.last?.value == "column 'speed', comments")
        bench.send(.route(.decline))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        bench.send(.answer(path))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.route(.confirm))
        #expect(await bench.reaches { !bench.desk.hasUnsavedPoints })
        // Now it has points only.
        bench.send(.route(.raise(metres: 0.1)), .ask(.savePoints), .answer(path))
        #expect(await bench.reaches { !bench.desk.hasUnsavedPoints })
        #expect(bench.view.state.confirmation == nil)
        bench.instance.detach()
    }

    @Test func `undo brings back a route with its file: it is saved, and no other file is written over by it`()
        async throws
    {
        let bench = try await IndoorBench.withRoute()
        bench.send(.route(.clear))
        let other = "x,y,z\n-1,0,1\n1,0,1\n"
        let paths = [
            try bench.folder.write("x,y,z\n-2,0,1\n2,0,1\n", to: "a.csv"),
            try bench.folder.write(other, to: "b.csv"),
        ]
        for (path, x) in zip(paths, [-2.0, -1]) {
            bench.send(.ask(.openPoints), .answer(path))
            #expect(await bench.reaches { bench.desk.editor.points.first?.position.x == x })
        }
        bench.send(.route(.undo))
        #expect(bench.desk.editor.points.first?.position.x == -2 && !bench.desk.hasUnsavedPoints)
        bench.send(.route(.raise(metres: 0.1)), .ask(.savePoints))
        #expect(bench.desk.hasUnsavedPoints && bench.view.state.prompt?.text == paths[0])
        bench.send(.answer(paths[1]))
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Replace this file?" })
        bench.send(.route(.decline))
        #expect(try String(contentsOfFile: paths[1], encoding: .utf8) == other)
        bench.send(.answer(paths[0]))
        #expect(await bench.reaches { !bench.desk.hasUnsavedPoints })
        bench.instance.detach()
    }

    @Test func `a speed that the file demands is held against the one that is flown`() async throws {
        let bench = try await IndoorBench.withRoute()
        bench.send(.route(.clear))
        let path = try bench.folder.write("x,y,z,speed\n-2,0,1,0.2\n2,0,1,0.2\n", to: "slow.csv")
        bench.send(.ask(.openPoints), .answer(path))
        #expect(await bench.reaches { bench.desk.editor.points.count == 2 && !bench.desk.hasUnsavedPoints })
        func demands() -> [FindingLine] { bench.view.state.route.findings.filter { $0.text.contains("demands") } }
        #expect(await bench.reaches { demands().map(\.isFailure) == [true] })
        #expect(demands().first?.text.hasPrefix("column 'speed' demands 0.20 m/s, and ") == true)
        bench.send(.ask(.speed), .answer("0.2"))
        #expect(await bench.reaches { bench.view.state.route.isPathCurrent && demands().isEmpty })
        bench.instance.detach()
    }
}
