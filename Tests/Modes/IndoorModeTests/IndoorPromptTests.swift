import FlightControl
import Foundation
import IndoorMode
import IntegrationKit
import ModeKit
import ModeTestKit
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
        #expect(bench.stage.notices.contains { $0.weight == .error }, "\(bench.stage.notices.map(\.text))")
        // The screen keeps the text that a prompt is first shown with.
        #expect(Array(bench.view.promptTexts.suffix(2)) == [nil, path])
        bench.instance.detach()
    }

    /// The rest of such a line would be ignored without a word, also where the number decides what counts as free space.
    @Test(
        arguments: [
            (.freeStart, "0.4 xyz", "0.4"), (.freeStart, "0.3 1", "0.3"), (.altitude, "2 xyz", "2"),
            (.speed, "3 xyz", "3"), (.hold, "2 xyz", "2"), (.deviation, "1 xyz", "1"), (.spacing, "0.1 xyz", "0.1"),
            (.layers, "5 xyz", "5"), (.cameraPitch, "-30 up", "-30"), (.body, "0.3 0.2 9", "0.3 0.2"),
        ] as [(IndoorPromptKind, String, String)])
    func `a line with more than a number is refused, with what is expected`(
        _ kind: IndoorPromptKind, _ line: String, _ number: String
    ) async throws {
        let bench = try IndoorBench()
        try await bench.open()
        bench.send(.route(.placeAtCursor), .ask(kind), .answer(line))
        #expect(bench.view.state.prompt?.note.hasPrefix("expected ") == true, "\(bench.view.state.prompt?.note ?? "")")
        bench.send(.answer(number))
        #expect(bench.view.state.prompt == nil, "\(bench.view.state.prompt?.note ?? "")")
        bench.instance.detach()
    }

    @Test func `what is in doubt about a file is a warning`() async throws {
        let bench = try IndoorBench()
        let path = try bench.folder.write("1,234;567;12\n2,345;678;13\n", to: "room.xyz")
        bench.send(.ask(.open), .answer(path))
        #expect(await bench.reaches { bench.view.state.picture != nil && bench.view.state.work == nil })
        let notices = bench.stage.notices
        #expect(
            notices.contains { $0.weight == .warning && $0.text.contains("not as separators of thousands") },
            "\(notices.map(\.text))")
        bench.instance.detach()
    }

    @Test func `a file is replaced only after a question, and after a no its name is in the prompt`() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let path = try bench.folder.write("mine", to: "there.pcd")
        bench.send(.ask(.save), .answer(path))
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Replace this file?" })
        bench.send(.route(.decline))
        #expect(bench.view.state.confirmation == nil && bench.view.state.prompt?.text == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        bench.send(.answer(path))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.route(.confirm))
        #expect(await bench.reaches { bench.stage.notices.last?.text == "the map was written to \(path)" })
        #expect(bench.view.state.confirmation == nil)
        bench.instance.detach()
    }

    @Test func `a map that cannot be written keeps its name in the prompt`() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let path = bench.folder.path + "/none/room.pcd"
        bench.send(.ask(.save), .answer(path))
        #expect(await bench.reaches { bench.view.state.prompt?.note.isEmpty == false })
        #expect(bench.view.state.prompt?.kind == .save && bench.view.state.prompt?.text == path)
        bench.instance.detach()
    }
}
