import FlightControl
import IndoorMode
import IntegrationKit
import ModeKit
import RouteKit
import Testing
import UAVLink
import UAVTestKit

@MainActor
@Suite("Indoor: prompts")
struct IndoorPromptTests {
    @Test(arguments: [IndoorPromptKind.open, .openPoints])
    func `a file that cannot be opened stays in the prompt, as it was typed`(_ kind: IndoorPromptKind) async throws {
        let bench = try IndoorBench()
        let path = bench.folder.path + "/none.csv"
        bench.send(.ask(kind), .answer(path))
        #expect(await bench.reaches { bench.view.state.prompt?.note.isEmpty == false })
        #expect(bench.view.state.prompt?.kind == kind && bench.view.state.prompt?.text == path)
        #expect(bench.stage.notices.last?.weight == .error)
        // The screen keeps the text that a prompt is first shown with.
        #expect(Array(bench.view.promptTexts.suffix(2)) == [nil, path])
        bench.module.detach()
    }

    @Test func `a map that cannot be written keeps its name in the prompt`() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let path = bench.folder.path + "/room.pcd"
        bench.send(.ask(.save), .answer(path))
        #expect(await bench.reaches { bench.view.state.prompt?.note.isEmpty == false })
        #expect(bench.view.state.prompt?.kind == .save && bench.view.state.prompt?.text == path)
        bench.module.detach()
    }
}
