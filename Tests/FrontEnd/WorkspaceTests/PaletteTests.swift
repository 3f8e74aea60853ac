@testable import FlightControl
@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen
import UAVLink

/// A screen with a key of its own.
@MainActor
private final class KeyScreen: Screen {
    var needsFrame: (() -> Void)?
    var takesText = false
    var given: [InputEvent] = []
    let keys = [KeyHelp("t", "take a picture"), KeyHelp("w s a d", "move"), KeyHelp("G", "world frame")]

    func draw(on canvas: inout Canvas, in area: ScreenArea) {}
    func handle(_ event: InputEvent) -> Bool {
        given.append(event)
        return event == .key(.typed("t"))
    }
}

@MainActor
@Suite("The command palette")
struct PaletteTests {
    private let content = KeyScreen()
    private let frame: WorkspaceScreen
    private let intents = Intents()
    private let size = ScreenSize(rows: 40, columns: 100)

    @MainActor
    private final class Intents { var all: [WorkspaceIntent] = [] }

    init() {
        let intents = intents
        frame = WorkspaceScreen { intents.all.append($0) }
        frame.resize(to: size)
        frame.put(content)
        show(.telemetry)
    }

    private func show(_ mode: Mode, hasVehicle: Bool = true) {
        var state = WorkspaceState()
        state.mode = mode
        if hasVehicle {
            state.vehicle = VehicleBar(title: "uav1")
            state.link = LinkBar(link: "udp")
        }
        frame.show(state)
    }

    private func type(_ text: String) {
        for character in text { frame.handle(.key(.typed(character))) }
    }

    private func press(_ key: KeyEvent.Key, _ modifiers: KeyEvent.Modifiers = []) {
        frame.handle(.key(KeyEvent(key, modifiers)))
    }

    private var lines: [String] {
        var canvas = Canvas(size)
        frame.draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }

    private func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    @Test("a part of a name finds an action, and Enter runs it")
    func finds() {
        type(":joy")
        #expect(shows("open Joystick") && !shows("open Terminal"))
        press(.enter)
        #expect(intents.all == [.open(.joystick)])
        #expect(!shows("Command"))
    }

    @Test(
        "flight commands are given from every screen",
        arguments: [
            ("take off", WorkspaceIntent.fly(.takeOff)), ("land", .fly(.land)), ("home", .fly(.landHome)),
            ("disarm", .fly(.disarm)), ("altitude 5", .fly(.altitude(5))),
            ("goto 1 2 3", .fly(.goTo(GoalInput(reference: .frame(.current), position: Vector3(x: 1, y: 2, z: 3))))),
            ("emergency", .emergencyLand), ("quit", .quit),
        ])
    func commands(_ line: String, _ intent: WorkspaceIntent) {
        type(":" + line)
        press(.enter)
        #expect(intents.all == [intent])
    }

    @Test("a command without its arguments is completed, and a mistake is said without losing the line")
    func arguments() {
        type(":goto")
        press(.enter)
        #expect(intents.all.isEmpty && shows("goto X Y Z"))
        type("1 b 3")
        press(.enter)
        #expect(intents.all.isEmpty && shows("'b' is not a number") && shows("goto 1 b 3"))
        press(.backspace)
        press(.backspace)
        press(.backspace)
        type("2 3")
        press(.enter)
        #expect(
            intents.all == [.fly(.goTo(GoalInput(reference: .frame(.current), position: Vector3(x: 1, y: 2, z: 3))))])
    }

    @Test func `a flight that is refused is there again as it was typed`() {
        type(":goto 1 2 3")
        press(.enter)
        #expect(!shows("─ Command"))
        var state = WorkspaceState()
        state.mode = .telemetry
        state.vehicle = VehicleBar(title: "uav1")
        state.refusedLine = RefusedLine(text: nil, reason: "no heading", number: 1)
        frame.show(state)
        #expect(shows(": goto 1 2 3") && shows("! no heading"))
    }

    @Test("a line that could not be carried out is there again with the reason, and can be corrected")
    func refused() {
        func refuse(_ text: String, _ number: Int) {
            var state = WorkspaceState()
            state.mode = .telemetry
            state.vehicle = VehicleBar(title: "uav1")
            state.refusedLine = RefusedLine(text: text, reason: "no such folder", number: number)
            frame.show(state)
        }
        type(":record /nowhere/ab")
        press(.enter)
        #expect(intents.all == [.record("/nowhere/ab")] && !shows("─ Command"))
        refuse("record /nowhere/ab", 1)
        #expect(shows(": record /nowhere/ab") && shows("! no such folder"))
        press(.backspace)
        #expect(shows(": record /nowhere/a") && !shows("! no such folder"))
        press(.enter)
        #expect(intents.all.last == .record("/nowhere/a"))
        refuse("record /nowhere/a", 2)
        #expect(shows(": record /nowhere/a") && shows("! no such folder"))
        press(.escape)
        // What is shown anew for another reason does not open it again.
        show(.telemetry)
        #expect(!shows("─ Command"))
    }

    @Test("an action of the screen below is its key")
    func screenKeys() {
        type(":picture")
        press(.enter)
        #expect(content.given == [.key(.typed(":")), .key(.typed("t"))] && intents.all.isEmpty)
    }

    @Test("Space on an empty line hovers; nothing typed reaches the screen below")
    func hovers() {
        type(":")
        type(" ")
        #expect(intents.all == [.hover] && content.given == [.key(.typed(":"))])
        type(":t")
        press(.escape)
        #expect(intents.all == [.hover] && content.given == [.key(.typed(":")), .key(.typed(":"))])
    }

    @Test("where letters are text F2 opens it, and ':' does not")
    func textScreens() {
        content.takesText = true
        type(":")
        #expect(!shows("─ Command"))
        press(.function(2))
        #expect(shows("─ Command"))
        press(.function(2))
        #expect(!shows("─ Command"))
    }

    @Test("it does not open over a dialog, and without a vehicle it has no flight commands")
    func limits() {
        show(.login, hasVehicle: false)
        type(":goto")
        press(.enter)
        #expect(intents.all.isEmpty && shows("! no vehicle is logged in: log in first"))
        press(.escape)
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .quit, title: "Quit", text: "", action: "quit")
        frame.show(state)
        press(.function(2))
        #expect(!shows("─ Command"))
    }

    @Test("what is not possible is not offered: in the air no take-off and no disarming, on the ground no goto")
    func states() {
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "uav1")
        func titles(_ isAirborne: Bool?, position: String = "") -> [String] {
            vehicle.flight = isAirborne.map { $0 ? .flying : .disarmed } ?? .unknown
            vehicle.position = position
            state.vehicle = vehicle
            return PaletteItem.all(state, []).filter { $0.obstacle == nil }.map(\.title)
        }
        #expect(!titles(true).contains("take off") && !titles(true).contains("disarm on the ground"))
        #expect(titles(true).contains("return home and land") && titles(true).first == "hover")
        #expect(!titles(false).contains { $0.hasPrefix("goto") } && titles(false).contains("take off"))
        for known in [true, false, nil] { #expect(titles(known).contains("land")) }
        #expect(!titles(nil).contains("next vehicle") && titles(nil, position: "1/2").contains("next vehicle"))
    }

    @Test func `in an emergency it offers what stops and ends the flight, and nothing that moves`() {
        var state = WorkspaceState()
        state.vehicle = VehicleBar(title: "uav1")
        state.vehicle?.flight = .emergency
        let titles = PaletteItem.all(state, []).filter { $0.obstacle == nil && $0.place.isEmpty }.map(\.title)
        for title in ["hover", "emergency landing", "land"] { #expect(titles.contains(title)) }
        let moves = titles.filter { title in
            ["take off", "return", "goto", "altitude", "heading"].contains { title.hasPrefix($0) }
        }
        #expect(moves.isEmpty)
        // But a take-off that clears the emergency.
        state.vehicle?.takeOffClearsEmergency = true
        #expect(PaletteItem.all(state, []).contains { $0.title == "clear the emergency" && $0.obstacle == nil })
    }

    @Test func `control is requested only where the link has control authority`() {
        var state = WorkspaceState()
        state.vehicle = VehicleBar(title: "uav1")
        func hasControl() -> Bool { PaletteItem.all(state, []).contains { $0.keys == "F12" && $0.isListed } }
        #expect(!hasControl())
        state.vehicle?.hasControlAuthority = true
        #expect(hasControl())
    }

    @Test func `an action that the screen has too stands there once, with its key`() {
        var state = WorkspaceState()
        state.vehicle = VehicleBar(title: "uav1")
        let keys = [KeyHelp("t", "take off"), KeyHelp("L", "land"), KeyHelp("Space", "hover"), KeyHelp("F10", "quit")]
        let items = PaletteItem.all(state, keys)
        for (title, key) in [("take off", "t"), ("land", "L"), ("hover", "F7"), ("quit", "F10")] {
            #expect(items.filter { $0.title == title }.map(\.keys) == [key])
        }
        #expect(items.last?.title == "quit")
    }

    @Test func `Ctrl-C closes it, and does not quit`() {
        type(":land")
        press(.character("c"), .control)
        #expect(!shows("─ Command") && intents.all.isEmpty)
    }

    @Test func `a list that is longer than its place says how much more there is, above and below`() {
        let small = ScreenSize(rows: 15, columns: 60)
        frame.resize(to: small)
        func text() -> String {
            var canvas = Canvas(small)
            frame.draw(on: &canvas, in: canvas.area)
            return canvas.lines.joined(separator: "\n")
        }
        type(":")
        #expect(text().contains("▼ ") && text().contains(" more") && !text().contains("▲ "), "\(text())")
        for _ in 0..<8 { press(.down) }
        #expect(text().contains("▲ ") && text().contains("▼ "))
        for _ in 0..<60 { press(.down) }
        #expect(text().contains("▲ ") && !text().contains("▼ ") && text().contains("› quit"), "\(text())")
        frame.handle(.mouse(MouseEvent(.wheelUp, row: 5, column: 5)))
        #expect(!text().contains("› quit"))
        frame.resize(to: size)
    }

    @Test("Enter held down runs one action")
    func heldEnter() {
        type(":land")
        press(.enter)
        frame.handle(.key(KeyEvent(.enter, phase: .repeating)))
        #expect(intents.all == [.fly(.land)])
    }

    @Test("Alt with a digit is a function key; a shell keeps those that do not stop the vehicle")
    func functionKeys() {
        press(.character("7"), .alt)
        press(.character("8"), .alt)
        press(.character("0"), .alt)
        #expect(intents.all == [.hover, .emergencyLand, .quit])
        show(.terminal)
        content.takesText = true
        press(.character("5"), .alt)
        press(.character("7"), .alt)
        #expect(intents.all.last == .hover && intents.all.count == 4)
        #expect(content.given == [.key(KeyEvent(.character("5"), .alt))])
    }

    @Test(
        "labels of keys become keys",
        arguments: [
            ("t", KeyEvent(.character("t"), text: "t")), ("G", KeyEvent(.character("g"), .shift, text: "G")),
            ("F7, Space", KeyEvent(.function(7))), ("Enter", KeyEvent(.enter)),
            ("Ctrl-L", KeyEvent(.character("l"), .control)),
            ("↑ ↓", KeyEvent(.up)), ("Space", KeyEvent(.character(" "), text: " ")),
        ])
    func labels(_ label: String, _ key: KeyEvent) { #expect(KeyEvent(label: label) == key) }

    @Test("labels that are no key become none", arguments: ["", "1-9x", "Shift-arrows", "FX"])
    func otherLabels(_ label: String) { #expect(KeyEvent(label: label) == nil) }
}
