@testable import FlightControl
@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen
import VehicleAccess

@MainActor
@Suite("Preferences of the front end")
struct WorkspacePreferencesTests {
    @Test("the configuration's themes are those of the screen, and each of its actions is one")
    func words() {
        #expect(Set(FrontEndPreferences.themes) == Set(Theme.allCases.map(\.rawValue)))
        for action in FrontEndPreferences.actions { #expect(PaletteItem.effect(of: action) != nil, "\(action)") }
        #expect(PaletteItem.effect(of: "fly") == nil)
    }

    @Test func `two actions on one key are an error that names both`() throws {
        let keys = [
            "hover": try #require(KeyEvent(label: "Ctrl-O")), "help": try #require(KeyEvent(label: "Ctrl-o")),
        ]
        let text = try #require(KeyConflict(in: keys)).text
        #expect(text.contains("Ctrl-O") && text.contains("'hover'") && text.contains("'help'"))
        #expect(KeyConflict(in: ["quit": KeyEvent(.function(7))])?.text.contains("'hover'") == true)
        #expect(KeyConflict(in: ["hover": KeyEvent(.function(7)), "help": KeyEvent(.function(11))]) == nil)
    }

    @Test(
        "a key that a screen has of its own is an error that names both: a shell could not be left",
        arguments: [
            ("hover", "F9", "leaving the terminal"), ("command", "F4", "the log in the terminal"),
            ("quit", "F3", "search in the terminal"), ("command", "F2", "line mode in the terminal"),
            ("control", "Ctrl-R", "redo on the map"), ("hover", "Ctrl-X", "hexadecimal in the robot's console"),
            ("hover", "Ctrl-U", "editing a line of text"), ("help", "Alt-b", "editing a line of text"),
        ])
    func keysOfScreens(_ action: String, _ label: String, _ use: String) {
        let problem = #expect(throws: KeyBindingProblem.self) { try KeyBindings.keys([action: label]) }
        #expect(
            problem?.what.contains("\(label) is given to '\(action)', and is the key of \(use)") == true,
            "\(String(describing: problem))")
    }

    @Test(
        "a label that is no key, or one that is needed elsewhere, is a problem that names it",
        arguments: ["a", "Ctrl-C", "Ctrl-1", "Enter", "F99", "", "Ctrl", "Alt-;"])
    func labels(_ label: String) {
        let problem = #expect(throws: KeyBindingProblem.self) { try KeyBindings.keys(["hover": label]) }
        #expect(problem?.what == "front-end: keys: '\(label)' is not a key that an action can have")
        #expect(problem?.hint.contains("such as") == true)
    }

    @Test("keys are read, and two actions on one are a problem")
    func bindings() throws {
        let keys = try KeyBindings.keys(["hover": "Ctrl-O", "help": "F11"])
        #expect(keys["hover"] == KeyEvent(.character("o"), .control) && keys["help"] == KeyEvent(.function(11)))
        let problem = #expect(throws: KeyBindingProblem.self) {
            try KeyBindings.keys(["hover": "Ctrl-O", "help": "Ctrl-O"])
        }
        #expect(problem?.what.contains("'hover'") == true)
    }

    @Test("a further key works over every dialog, in text fields too, and the usual key stays")
    func furtherKeys() {
        var intents: [WorkspaceIntent] = []
        let frame = WorkspaceScreen { intents.append($0) }
        frame.furtherKeys = FurtherKeys([
            (KeyEvent(.character("o"), .control), .send(.hover)), (KeyEvent(.function(3)), .help),
        ])
        frame.resize(to: ScreenSize(rows: 30, columns: 90))
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .takeCommand, title: "", text: "", action: "", reason: "why")
        frame.show(state)
        frame.handle(.key(KeyEvent(.character("o"), .control)))
        frame.handle(.key(KeyEvent(.character("o"), .control, phase: .repeating)))
        frame.handle(.key(KeyEvent(.function(7))))
        #expect(intents == [.hover, .hover])
        frame.show(WorkspaceState())
        frame.handle(.key(KeyEvent(.function(3))))
        var canvas = Canvas(ScreenSize(rows: 30, columns: 90))
        frame.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines.contains { $0.contains("Everywhere") })
    }

    @Test("a further key stands beside the usual one: in the line of keys, in the help and in the palette")
    func furtherKeysShown() {
        var intents: [WorkspaceIntent] = []
        let frame = WorkspaceScreen { intents.append($0) }
        frame.furtherKeys = FurtherKeys([
            (KeyEvent(.character("o"), .control), .send(.hover)), (KeyEvent(.function(3)), .help),
            (KeyEvent(.insert), .palette), (KeyEvent(.function(4)), .send(.quit)),
        ])
        frame.resize(to: ScreenSize(rows: 40, columns: 120))
        var state = WorkspaceState()
        state.mode = .telemetry
        (state.vehicle, state.link) = (VehicleBar(title: "uav1"), LinkBar(link: "udp"))
        frame.show(state)
        func lines() -> [String] {
            var canvas = Canvas(ScreenSize(rows: 40, columns: 120))
            frame.draw(on: &canvas, in: canvas.area)
            return canvas.lines
        }
        let foot = lines().last ?? ""
        #expect(foot.hasPrefix("F7 Ctrl-O hover  F8 emergency  ? F3 help  : Insert command"), "\(foot)")
        // Each of them can be clicked.
        frame.handle(.mouse(MouseEvent(.press, row: 39, column: 4)))
        #expect(intents == [.hover])
        frame.handle(.key(KeyEvent(.function(3))))
        let help = lines()
        #expect(help.contains { $0.contains("F7, Space,") && $0.contains("hover (Space") })
        #expect(help.contains { $0.contains("F1, ?, F3") && $0.contains("this help") })
        #expect(!help.contains { $0.contains("as configured") })
        frame.handle(.key(KeyEvent(.insert)))
        let palette = lines()
        #expect(palette.contains { $0.contains("› hover") && $0.contains("F7 Ctrl-O") })
        #expect(palette.contains { $0.contains("quit") && $0.contains("F10 F4") })
    }

    @Test func `on a narrow terminal the further keys leave the space of the help`() {
        let frame = WorkspaceScreen { _ in }
        frame.furtherKeys = FurtherKeys([
            (KeyEvent(.character("o"), .control), .send(.hover)), (KeyEvent(.insert), .send(.emergencyLand)),
        ])
        var state = WorkspaceState()
        (state.vehicle, state.link) = (VehicleBar(title: "uav1"), LinkBar(link: "udp"))
        frame.show(state)
        for (columns, words) in [
            (40, "F7 hover  F8 emergency  ? help"), (60, "F7 Ctrl-O hover  F8 Insert emergency  ? help"),
        ] {
            frame.resize(to: ScreenSize(rows: 12, columns: columns))
            var canvas = Canvas(ScreenSize(rows: 12, columns: columns))
            frame.draw(on: &canvas, in: canvas.area)
            #expect(canvas.lines.last?.hasPrefix(words) == true, "\(canvas.lines.last ?? "")")
        }
    }

    @Test func `while another pilot has control the further keys leave the space of the help too`() {
        let frame = WorkspaceScreen { _ in }
        frame.furtherKeys = FurtherKeys([(KeyEvent(.character("o"), .control), .send(.hover))])
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "uav1")
        vehicle.isControlledByOther = true
        (state.vehicle, state.link) = (vehicle, LinkBar(link: "udp"))
        frame.show(state)
        for (columns, words) in [
            (50, "F7 hover  F8 emergency  F12 take over  ? help"),
            (60, "F7 Ctrl-O hover  F8 emergency  F12 take over  ? help"),
        ] {
            frame.resize(to: ScreenSize(rows: 12, columns: columns))
            var canvas = Canvas(ScreenSize(rows: 12, columns: columns))
            frame.draw(on: &canvas, in: canvas.area)
            #expect(canvas.lines.last?.hasPrefix(words) == true, "\(canvas.lines.last ?? "")")
        }
    }

    @Test("the simulator and a recording are marked beside the vehicle's name")
    func marks() {
        let frame = WorkspaceScreen { _ in }
        frame.resize(to: ScreenSize(rows: 30, columns: 90))
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "uav1")
        (vehicle.isSimulated, vehicle.isRecorded) = (true, true)
        (state.vehicle, state.link) = (vehicle, LinkBar(link: "sim"))
        state.activity = "goto: 3.2 m to go"
        frame.show(state)
        var canvas = Canvas(ScreenSize(rows: 30, columns: 90))
        frame.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines[1].hasPrefix("uav1 SIM REC  unknown"))
        #expect(canvas.lines[28].hasPrefix("· goto: 3.2 m to go"))
    }
}
