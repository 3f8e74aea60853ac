import ModeKit
@testable import MenuMode
@testable import Workspace
import Testing
import TextScreen

@MainActor
@Suite("Golden screens of the menu")
struct MenuGoldenTests {
    @Test("the modes, the second chosen, with advice", arguments: GoldenSize.allCases)
    func modes(_ size: GoldenSize) throws {
        let screen = MenuScreen { _ in }
        var state = MenuScreenState()
        state.items = [
            MenuItem(.joystick, title: "Joystick", explanation: "manual flight: keyboard or game controller"),
            MenuItem(.telemetry, title: "Telemetry", explanation: "telemetry values, trail and rates"),
            MenuItem(.terminal, title: "Terminal", explanation: "a shell on the vehicle's computer"),
        ]
        state.selected = 1
        state.advice = "to fly: press 1 for the joystick, then t to take off"
        screen.show(state)
        try Golden.check(screen, "menu", size)
    }

    @Test func `on a narrow terminal what stops, opens a mode and finds the rest has the space, not what quits`() {
        let menu = MenuScreen { _ in }
        var state = MenuScreenState()
        let modes: [Mode] = [.joystick, .telemetry, .terminal, .mapTrajectory, .indoor, .latencyLab]
        state.items = modes.map { MenuItem($0, title: $0.rawValue, explanation: "") }
        state.allowsLogOut = false
        menu.show(state)
        let frame = WorkspaceScreen { _ in }
        frame.put(menu)
        var around = WorkspaceState()
        around.mode = .menu
        around.vehicle = VehicleBar(title: "uav1")
        frame.show(around)
        let first = "F7 hover  F8 emergency  ? help  1-6 open"
        for (columns, foot) in [(40, first), (50, first), (51, first + "  : command")] {
            let size = ScreenSize(rows: 12, columns: columns)
            frame.resize(to: size)
            var canvas = Canvas(size)
            frame.draw(on: &canvas, in: canvas.area)
            #expect(canvas.lines.last == foot)
        }
    }
}
