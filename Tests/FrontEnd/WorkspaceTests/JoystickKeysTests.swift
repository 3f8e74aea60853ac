@testable import JoystickMode
import ModeKit
@testable import Workspace
import Testing
import UAVLink

@testable import TextScreen

@MainActor
@Suite("Keys of the joystick")
struct JoystickKeysTests {
    /// What a terminal's bytes come to.
    private func intents(_ bytes: String, question: String? = nil) -> [JoystickIntent] {
        var sent: [JoystickIntent] = []
        let screen = JoystickScreen { sent.append($0) }
        var state = JoystickScreenState()
        state.question = question.map { ConfirmationRequest(title: $0, facts: []) }
        screen.show(state)
        var parser = InputParser()
        for event in parser.feed(bytes.utf8) + parser.flush() { _ = screen.handle(event) }
        return sent
    }

    private func press(_ name: String, _ move: StickKey.Move) -> JoystickIntent { .press(StickKey(name, move)) }

    @Test("the moving keys of mrs_uav_status, as any terminal sends them")
    func moving() {
        #expect(
            intents("wsadkjhlqerf") == [
                press("w", .forward), press("s", .back), press("a", .left), press("d", .right), press("k", .forward),
                press("j", .back), press("h", .left), press("l", .right), press("q", .turnLeft),
                press("e", .turnRight), press("r", .climb), press("f", .descend),
            ])
        #expect(
            intents("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D") == [
                press("up", .forward), press("down", .back), press("right", .right), press("left", .left),
            ])
    }

    @Test("the other keys")
    func others() {
        #expect(
            intents("\r tLG+-[]mcx") == [
                .toggleControl, .hover, .takeOff, .land, .changeFrame, .speed(1), .speed(-1), .rate(-1), .rate(1),
                .changeLayout, .changeSource, .hover,
            ])
        #expect(intents("\u{1B}") == [.leave])
    }

    @Test("a terminal with the kitty keyboard protocol tells presses, repetitions and releases")
    func kitty() {
        let w = StickKey("w", .forward)
        #expect(
            intents("\u{1B}[119;1;119u\u{1B}[119;1:2;119u\u{1B}[119;1:3u") == [.press(w), .repeats(w), .release(w)])
        // Shift-l lands and is no move; the release of l with Shift down lets go of l.
        #expect(intents("\u{1B}[108:76;2;76u\u{1B}[108;2:3u") == [.land, .release(StickKey("l", .right))])
        // Caps Lock makes no capital of a moving key.
        #expect(intents("\u{1B}[108;65u") == [press("l", .right)])
        #expect(intents("\u{1B}[1;1:3A") == [.release(StickKey("up", .forward))])
        // A held Enter takes control once, and does not give it back by itself.
        #expect(intents("\u{1B}[13u\u{1B}[13;1:2u\u{1B}[13;1:3u") == [.toggleControl])
    }

    @Test(
        "what is held with Control, Alt or a logo key moves nothing",
        arguments: ["\u{17}", "\u{1B}w", "\u{1B}[119;5u", "\u{1B}[119;9u", "\u{1B}[1;5A", "\u{1B}[1;2A"])
    func modified(_ bytes: String) { #expect(intents(bytes) == []) }

    @Test("pasted text moves nothing")
    func pasted() { #expect(intents("\u{1B}[200~wwLt\r\u{1B}[201~") == []) }

    @Test("a question takes y for yes, n and Esc for no, hover for hover, and nothing else")
    func questions() {
        #expect(intents("y", question: "?") == [.answer(true)])
        #expect(intents("\r", question: "?") == [])
        #expect(intents("n", question: "?") == [.answer(false)])
        #expect(intents("t", question: "?") == [])
        #expect(intents("\u{1B}", question: "?") == [.answer(false)])
        #expect(intents(" ", question: "?") == [.answer(false), .hover])
        // A key that was held before is let go of anyway.
        #expect(intents("\u{1B}[119;1:3u", question: "?") == [.release(StickKey("w", .forward))])
        // What repeats was pressed for something else.
        #expect(intents("\u{1B}[13;1:2u", question: "?") == [])
    }

    @Test("losing the focus is reported, getting it is nothing")
    func focus() {
        var sent: [JoystickIntent] = []
        let screen = JoystickScreen { sent.append($0) }
        screen.focusChanged(true)
        #expect(sent == [])
        screen.focusChanged(false)
        #expect(sent == [.lostFocus])
    }

    @Test("a key that is let go of under the help, or under a dialog, is let go of")
    func underOverlays() {
        var sent: [JoystickIntent] = []
        let joystick = JoystickScreen { sent.append($0) }
        let frame = WorkspaceScreen { _ in }
        frame.put(joystick)
        var parser = InputParser()
        func type(_ bytes: String) { for event in parser.feed(bytes.utf8) { frame.handle(event) } }
        let w = StickKey("w", .forward)
        type("\u{1B}[119u\u{1B}OP\u{1B}[119;1:3u")
        #expect(sent == [.press(w), .release(w)])
        type("\u{1B}[119u")
        sent = []
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .emergencyLand, title: "", text: "", action: "")
        frame.show(state)
        type("\u{1B}[119;1:3u")
        #expect(sent == [.release(w)])
    }
}
