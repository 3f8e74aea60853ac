import ModeKit
@testable import MenuMode
import Testing

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
}
