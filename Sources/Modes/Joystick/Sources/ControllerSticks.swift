internal import GameController
internal import UAVLink

/// The sticks of the game controller that control was taken with. Another controller, or the same one plugged in again, does
/// not steer: control must be taken again.
struct ControllerSticks: StickSource {
    private let gamepads: any Gamepads
    private let number: UInt64
    private let layout: StickLayout
    private let hoverPresses: UInt64

    /// The sticks of the connected controller; `nil` when there is none.
    init?(_ gamepads: any Gamepads, layout: StickLayout) {
        guard let gamepad = gamepads.state.gamepad else { return nil }
        self.gamepads = gamepads
        self.layout = layout
        number = gamepad.number
        hoverPresses = gamepad.presses(of: .b)
    }

    func reading(at now: MonotonicTime) -> StickReading {
        guard let gamepad = gamepads.state.gamepad, gamepad.number == number else {
            return .stop(.controllerDisconnected)
        }
        // Read here as well as in the presenter, so that a screen that hangs does not delay the stop.
        guard gamepad.presses(of: .b) == hoverPresses else { return .stop(.hover) }
        return .deflection(layout.deflection(of: gamepad.sticks))
    }
}

extension Gamepad {
    /// The position of its sticks.
    var sticks: StickPosition { StickPosition(leftX: leftX, leftY: leftY, rightX: rightX, rightY: rightY) }
}
