internal import GameController
internal import UAVLink

/// The sticks of the game controller with which control was taken. Another one, also the same plugged in again, does not
/// steer: control has to be taken anew.
struct ControllerSticks: StickSource {
    private let gamepads: any Gamepads
    private let number: UInt64
    private let layout: StickLayout
    private let hoverPresses: UInt64

    /// The controller that is in use now; `nil` when there is none.
    init?(_ gamepads: any Gamepads, layout: StickLayout) {
        guard let gamepad = gamepads.state.gamepad else { return nil }
        self.gamepads = gamepads
        self.layout = layout
        number = gamepad.number
        hoverPresses = gamepad.presses(of: .b)
    }

    func reading(at now: MonotonicTime) -> StickReading {
        guard let gamepad = gamepads.state.gamepad, gamepad.number == number else { return .stop(.controllerGone) }
        // Looked at here, and not only where buttons become commands, so that a screen that hangs does not delay it.
        guard gamepad.presses(of: .b) == hoverPresses else { return .stop(.hover) }
        return .deflection(layout.deflection(of: gamepad.sticks))
    }
}

extension Gamepad {
    /// Where its sticks stand.
    var sticks: StickPosition { StickPosition(leftX: leftX, leftY: leftY, rightX: rightX, rightY: rightY) }
}
