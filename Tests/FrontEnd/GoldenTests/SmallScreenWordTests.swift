import FlightControl
import Testing
import UAVLink

@testable import JoystickMode
@testable import MenuMode
@testable import ModeKit
@testable import RemoteTerminalMode
@testable import TextScreen
@testable import Workspace

/// What is said where there is little space, and one word for one thing.
@MainActor
@Suite("Words of the screens")
struct SmallScreenWordTests {
    private func lines(_ screen: any Screen, rows: Int, columns: Int) -> [String] {
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test func `the menu is as wide as its longest line where there is space`() {
        let screen = MenuScreen { _ in }
        var state = MenuScreenState()
        let obstacle = "needs a host to log in to: the links are measured over a network, and this vehicle has none"
        state.items = [
            MenuItem(.joystick, title: "Joystick", explanation: "manual flight"),
            MenuItem(.latencyLab, title: "Latency", explanation: "measures SSH and sockets"),
        ]
        state.items[1].obstacle = obstacle
        screen.show(state)
        #expect(lines(screen, rows: 46, columns: 200).contains { $0.contains("2  Latency   \(obstacle)") })
        #expect(lines(screen, rows: 20, columns: 80).contains { $0.contains("…") })
    }

    @Test(arguments: [LinkKind.direct, .sshShell, .udp]) func `the unit of the setpoint rate is there over every link`(
        _ link: LinkKind
    ) {
        let screen = JoystickScreen { _ in }
        var state = JoystickScreenState()
        state.link = link
        screen.show(state)
        let shown = lines(screen, rows: 20, columns: 80)
        #expect(shown.contains { $0.contains("\(link.rawValue) Hz") && $0.contains("set 100") }, "\(shown)")
    }

    @Test func `the palette is the command, and the form of the terminal has another name`() {
        let terminal = TerminalScreen { _ in }
        #expect(terminal.keys.contains(KeyHelp("F2", "line mode")))
        let shown = lines(terminal, rows: 20, columns: 80)
        #expect(shown.last?.contains("F2 line mode") == true && shown.last?.contains("command") == false)
        #expect(lines(terminal, rows: 8, columns: 40).last?.hasSuffix("F2 lines  F3 find  F4 log  F9 leave") == true)
    }

    @Test func `a paragraph that is cut says so`() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 20))
        canvas.writeParagraph("The robot keeps what it was told last.", in: canvas.area)
        #expect(canvas.lines == ["The robot keeps …"])
    }

    @Test func `a question that scrolls says so among its keys, and only then`() {
        let frame = WorkspaceScreen { _ in }
        var state = WorkspaceState()
        state.confirmation = Confirmation(
            question: .quit, title: "Quit", text: (1...60).map { "word\($0)" }.joined(separator: " "), action: "quit")
        frame.resize(to: ScreenSize(rows: 15, columns: 60))
        frame.show(state)
        #expect(frame.keys.contains(QuestionBox.scrollHelp))
        frame.resize(to: ScreenSize(rows: 40, columns: 120))
        #expect(!frame.keys.contains(QuestionBox.scrollHelp))
        var layer = DialogLayer()
        layer.resize(to: ScreenArea(rows: 11, columns: 60))
        let facts = (1...20).map { LabeledValue("fact", "\($0)") }
        layer.show(nil, ConfirmationRequest(title: "Land?", facts: facts, action: "land", otherwise: "stay"))
        #expect(layer.help?.contains(QuestionBox.scrollHelp) == true)
        layer.resize(to: ScreenArea(rows: 40, columns: 60))
        #expect(layer.help?.contains(QuestionBox.scrollHelp) == false)
    }

    @Test func `the help names Esc once`() {
        let frame = WorkspaceScreen { _ in }
        let screen = JoystickScreen { _ in }
        screen.show(JoystickScreenState())
        frame.resize(to: ScreenSize(rows: 60, columns: 100))
        var state = WorkspaceState()
        state.mode = .joystick
        frame.show(state)
        frame.put(screen)
        frame.handle(.key(KeyEvent(.function(1))))
        var canvas = Canvas(ScreenSize(rows: 60, columns: 100))
        frame.draw(on: &canvas, in: canvas.area)
        // But for the line of keys below the help.
        let rows = canvas.lines.dropLast().filter { $0.drop { $0 == " " || $0 == "│" }.hasPrefix("Esc ") }
        #expect(rows.count == 1, "\(rows)")
    }
}
