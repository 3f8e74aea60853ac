import FlightControl
import Foundation
import IndoorMode
import IntegrationKit
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
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
}
