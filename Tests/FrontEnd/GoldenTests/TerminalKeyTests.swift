import ModeKit
@testable import RemoteTerminalMode
import Testing
import TextScreen

/// The keys that the terminal offers: those that act in its state.
@MainActor
@Suite struct TerminalKeyTests {
    private func screen(_ change: (inout TerminalScreenState) -> Void) -> TerminalScreen {
        var state = TerminalScreenState()
        state.shell.connection = .open
        change(&state)
        let screen = TerminalScreen { _ in }
        screen.show(state)
        return screen
    }

    private func keys(_ change: (inout TerminalScreenState) -> Void) -> [String] {
        screen(change).keys.map { "\($0.keys): \($0.action)" }
    }

    private func lines(_ change: (inout TerminalScreenState) -> Void) -> String {
        var canvas = Canvas(ScreenSize(rows: 12, columns: 60))
        Golden.draw(screen(change), on: &canvas, in: canvas.area)
        return canvas.lines.joined(separator: "\n")
    }

    @Test func `keys are sent to an open shell only, and after its end Enter opens another one`() {
        #expect(keys { _ in }.first == "F9: leave" && keys { _ in }.last == "others: sent to the shell")
        for (connection, first) in [
            (ShellConnection.connecting, "F9: leave"), (.ended(ProgramEnding(status: 0)), "Enter: new shell"),
            (.lost("no answer"), "Enter: connect again"),
        ] {
            let keys = keys { $0.shell.connection = connection }
            #expect(keys.first == first && !keys.contains { $0.hasPrefix("others") }, "\(keys)")
            #expect(keys.contains("F9: leave") && keys.contains("F3: search"), "\(keys)")
        }
    }

    @Test func `in a search of the shell's lines its keys are offered, those for more only where something was found`()
    {
        var search = ScrollbackSearch()
        search.text = "node"
        let none = keys { $0.shell.search = search }
        #expect(none.first == "Esc: end the search" && !none.contains { $0.hasSuffix("older") }, "\(none)")
        #expect(!none.contains { $0.hasPrefix("others") } && !none.contains("F3: search"), "\(none)")
        #expect(!lines { $0.shell.search = search }.contains("Enter older"))
        search.line = 3
        let found = keys { $0.shell.search = search }
        #expect(found.prefix(3) == ["Enter ↑ F3: older", "↓: newer", "Esc: end the search"], "\(found)")
        #expect(lines { $0.shell.search = search }.contains("Enter older  ↓ newer  Esc done"))
    }

    @Test func `the question before a paste offers its answers, and takes all keys`() {
        let asking = screen { $0.shell.pasteLines = 2 }
        #expect(asking.isAsking && asking.keys == [KeyHelp("y", "paste"), KeyHelp("n Esc", "paste nothing")])
        #expect(!screen { _ in }.isAsking)
    }

    @Test
    func `in a search of the history Esc cancels it and leaves nothing, and a line is accepted where one was found`() {
        let none = keys {
            $0.form = .simple
            $0.simple.search = HistorySearch()
        }
        #expect(none == ["Esc: cancel the search", "F2: shell", "F4: save log", "F9: leave"])
        let drawn = lines {
            $0.form = .simple
            $0.simple.search = HistorySearch()
        }
        #expect(!drawn.contains("Esc leave") && !drawn.contains("press Enter"), "\(drawn)")
        var search = HistorySearch()
        search.line = "rosnode list"
        let found = keys {
            $0.form = .simple
            $0.simple.search = search
        }
        #expect(found.prefix(3) == ["Enter: accept", "Ctrl-R ↑: older", "Esc: cancel the search"], "\(found)")
    }

    @Test func `a running command can be ended and no other line sent`() {
        for isRunning in [true, false] {
            let keys = keys {
                $0.form = .simple
                $0.simple.isRunning = isRunning
            }
            #expect(keys.first == (isRunning ? "Ctrl-C: end the command" : "Enter: send the line"), "\(keys)")
            #expect(keys.contains("Ctrl-C: end the command") == isRunning && !keys.contains { $0.contains("scroll") })
        }
    }
}
