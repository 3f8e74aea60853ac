@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen
import UAVLink

/// Every action is found: what has no effect now, what needs something first, and what other screens do.
@MainActor
@Suite struct PaletteElsewhereTests {
    private func items(_ mode: Mode, _ keys: [KeyHelp] = [], hasVehicle: Bool = true) -> [PaletteItem] {
        var state = WorkspaceState()
        state.mode = mode
        if hasVehicle {
            var vehicle = VehicleBar(title: "uav1")
            vehicle.flight = .disarmed
            state.vehicle = vehicle
        }
        return PaletteItem.all(state, keys)
    }

    /// What Enter does to a line, and what is drawn then.
    private func enter(_ line: String, _ items: [PaletteItem]) -> (outcome: PaletteOverlay.Outcome, text: String) {
        var palette = PaletteOverlay()
        for letter in line { _ = palette.handle(.typed(letter), items) }
        let outcome = palette.handle(KeyEvent(.enter), items)
        var canvas = Canvas(ScreenSize(rows: 40, columns: 100))
        palette.draw(items, on: &canvas, in: canvas.area)
        return (outcome, canvas.lines.joined(separator: "\n"))
    }

    @Test(arguments: [Mode.joystick, .menu, .telemetry])
    func `an emergency landing is found on the ground, behind what acts`(_ mode: Mode) {
        let items = items(mode)
        #expect(enter("emergency", items).outcome == .run(.send(.emergencyLand)))
        #expect(!items.contains { $0.isListed && $0.title == "emergency landing" })
        #expect(enter("en", items).outcome != .run(.send(.emergencyLand)))
    }

    @Test func `a recording that does not run is not ended, and that is said`() {
        let (outcome, text) = enter("stop rec", items(.telemetry))
        #expect(outcome == .changed && text.contains("! no recording is running"))
    }

    @Test(arguments: ["send", "undo", "thin", "take control"])
    func `what another screen does is found, and Enter opens that screen`(_ line: String) {
        let modes: [String: Mode] = ["thin": .indoor, "take control": .joystick]
        let items = items(.telemetry)
        #expect(enter(line, items).outcome == .run(.send(.open(modes[line] ?? .mapTrajectory))))
        #expect(!items.contains { $0.isListed && $0.title.hasPrefix(line) })
    }

    @Test func `an action of the open screen comes first, and says so where it does nothing now`() {
        let items = items(.mapTrajectory, [KeyHelp("o", "open"), KeyHelp("u", "undo")])
        #expect(KeyEvent(label: "u").map { enter("undo", items).outcome == .run(.press($0)) } == true)
        let (outcome, text) = enter("send", items)
        #expect(outcome == .changed && text.contains("! nothing to do on this screen now"))
        #expect(text.contains("send (Indoor)"))
    }

    @Test func `without a vehicle every action of one says that none is logged in`() {
        let login = items(.login, [KeyHelp("Enter", "log in")], hasVehicle: false)
        let elsewhere = ["send", "start", "zoom", "shell", "undo", "save", "log out", "scan"]
        for line in ["goto 1 2 3", "take off", "open Joystick", "emergency"] + elsewhere {
            let (outcome, text) = enter(line, login)
            #expect(outcome == .changed && text.contains("! no vehicle is logged in"), "\(line)")
        }
        #expect(KeyEvent(label: "Enter").map { enter("log", login).outcome == .run(.press($0)) } == true)
    }

    @Test(arguments: [
        ("next", PaletteItem.onlyOneVehicle), ("command all", PaletteItem.onlyOneVehicle),
        ("all vehicles", PaletteItem.onlyOneVehicle), ("request", PaletteItem.noControlAuthority(over: "sim")),
    ])
    func `what concerns other vehicles and control is found where there is none, with the reason`(
        _ line: String, _ reason: String
    ) {
        var state = WorkspaceState()
        (state.mode, state.vehicle, state.link) = (.menu, VehicleBar(title: "uav1"), LinkBar(link: "sim"))
        let (outcome, text) = enter(line, PaletteItem.all(state, []))
        #expect(outcome == .changed && text.contains("! \(reason)"), "\(text)")
        #expect(enter(line, items(.login, hasVehicle: false)).text.contains("! no vehicle is logged in"))
    }

    @Test func `what is listed comes before what only has the letters in its name, and a reason says whose it is`() {
        let menu = items(.menu, [KeyHelp("n", "log in to another vehicle")])
        let key = KeyEvent(label: "n")
        #expect(key.map { enter("th", menu).outcome == .run(.press($0)) } == true)
        // Where nothing else is listed, and where the line begins the name.
        let home = enter("home", items(.telemetry)).text
        #expect(home.contains("! not flying: take off first (return home and land)"), "\(home)")
        let whole = enter("disarm", menu)
        #expect(whole.outcome == .changed && whole.text.contains("! the motors are off already "))
        #expect(!whole.text.contains("(disarm"))
    }

    @Test(arguments: [
        ("zoom", Mode.mapTrajectory), ("top, side", .indoor), ("turn the view", .indoor), ("tilt", .indoor),
        ("layer down", .indoor), ("shell", .terminal),
    ])
    func `keys of the view and of the shell are found from the menu`(_ line: String, _ mode: Mode) {
        #expect(enter(line, items(.menu)).outcome == .run(.send(.open(mode))))
    }

    @Test func `in the menu the modes stand with their numbers`() {
        let opening = items(.menu).filter { $0.isListed && $0.title.hasPrefix("open ") }
        #expect(opening.first?.title == "open Joystick" && opening.map(\.keys) == ["1", "2", "3", "4", "5", "6"])
        #expect(items(.telemetry).first { $0.title == "open Joystick" }?.keys.isEmpty == true)
    }
}
