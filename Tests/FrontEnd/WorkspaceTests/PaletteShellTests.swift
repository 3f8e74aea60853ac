@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen

/// A screen that takes every key, as a shell does.
@MainActor
private final class ShellScreen: Screen {
    var needsFrame: (() -> Void)?
    let takesText = true
    let keys: [KeyHelp] = []
    var given: [InputEvent] = []

    func draw(on canvas: inout Canvas, in area: ScreenArea) {}
    func handle(_ event: InputEvent) -> Bool {
        given.append(event)
        return true
    }
}

@MainActor
@Suite("The command palette over a shell")
struct PaletteShellTests {
    @Test("F2 is the shell's, Shift-F2 opens the palette, and Esc with ':' at once does not")
    func keys() {
        let (frame, content) = (WorkspaceScreen { _ in }, ShellScreen())
        frame.resize(to: ScreenSize(rows: 40, columns: 100))
        frame.put(content)
        var state = WorkspaceState()
        state.mode = .terminal
        frame.show(state)
        frame.handle(.key(KeyEvent(.function(2))))
        #expect(frame.palette == nil && content.given == [.key(KeyEvent(.function(2)))])
        var parser = InputParser()
        // As an editor is left: what follows Esc before the timeout is the same bytes as with Alt.
        let typed = parser.feed(Array("\u{1B}:".utf8))
        for event in typed { frame.handle(event) }
        #expect(frame.palette == nil && content.given.count == 2 && content.given.last == typed.first)
        for event in parser.feed(Array("\u{1B}[1;2Q".utf8)) { frame.handle(event) }
        #expect(frame.palette != nil)
        frame.handle(.key(KeyEvent(.character(";"), [.alt, .shift])))
        #expect(frame.palette == nil)
        // Where no shell gets them, Alt-: is what it says.
        state.mode = .telemetry
        frame.show(state)
        for event in typed { frame.handle(event) }
        #expect(frame.palette != nil)
    }
}
