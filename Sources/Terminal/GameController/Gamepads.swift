/// The buttons of a game controller by position; the names are those of SDL's mapping (Xbox).
package enum GamepadButton: String, Hashable, Sendable, CaseIterable {
    case a, b, x, y, back, start, leftShoulder, rightShoulder
}

/// The state of a game controller at one instant.
package struct Gamepad: Hashable, Sendable {
    /// The number of the controller, from 1 in the order of opening; the same one plugged in again has another number.
    package var number: UInt64
    /// The name reported by the system: untrusted text.
    package var name: String
    /// The left stick, -1 to 1, right positive.
    package var leftX = 0.0
    /// The left stick, -1 to 1, up positive.
    package var leftY = 0.0
    /// The right stick, -1 to 1, right positive.
    package var rightX = 0.0
    /// The right stick, -1 to 1, up positive.
    package var rightY = 0.0
    /// The number of presses of each button since the controller was opened, so that polling misses no press.
    package var presses: [GamepadButton: UInt64] = [:]

    /// Creates a controller with centred sticks.
    package init(number: UInt64, name: String) {
        self.number = number
        self.name = name
    }

    /// The number of presses of a button.
    package func presses(of button: GamepadButton) -> UInt64 { presses[button] ?? 0 }
}

/// The state of the search for a game controller.
package enum GamepadsState: Hashable, Sendable {
    /// The search has not finished yet.
    case starting
    /// Controllers cannot be used: why, and what to do, in one line.
    case unusable(String)
    /// No controller is plugged in.
    case none
    /// The controller in use: the first that was plugged in, of those still connected.
    case plugged(Gamepad)

    /// The controller in use.
    package var gamepad: Gamepad? {
        if case .plugged(let gamepad) = self { gamepad } else { nil }
    }
}

/// A source of game controllers: SDL, or a test.
package protocol Gamepads: AnyObject, Sendable {
    /// The newest state; takes a lock, no system call.
    var state: GamepadsState { get }
    /// Closes the controllers. May be called more than once.
    func close()
}
