/// Buttons of a game controller, by where they are: names are those of SDL's mapping (Xbox).
public enum GamepadButton: String, Hashable, Sendable, CaseIterable {
    case a, b, x, y, back, start, leftShoulder, rightShoulder
}

/// A game controller at one instant.
public struct Gamepad: Hashable, Sendable {
    /// Counts controllers that were taken into use, from 1: the same one plugged in again has another number.
    public var number: UInt64
    /// Its name as the system tells it: untrusted text.
    public var name: String
    /// The left stick, right positive, -1 to 1.
    public var leftX = 0.0
    /// The left stick, up positive, -1 to 1.
    public var leftY = 0.0
    /// The right stick, right positive, -1 to 1.
    public var rightX = 0.0
    /// The right stick, up positive, -1 to 1.
    public var rightY = 0.0
    /// How often each button was pressed since it is in use; who looks now and then misses no press.
    public var presses: [GamepadButton: UInt64] = [:]

    /// A controller with its sticks in the middle.
    public init(number: UInt64, name: String) {
        self.number = number
        self.name = name
    }

    /// How often a button was pressed.
    public func presses(of button: GamepadButton) -> UInt64 { presses[button] ?? 0 }
}

/// What is known of game controllers.
public enum GamepadsState: Hashable, Sendable {
    /// Being looked for.
    case starting
    /// None can be used: why, and what to do, in one line.
    case unusable(String)
    /// None is plugged in.
    case none
    /// This one is in use: the first that was plugged in, of those that are.
    case plugged(Gamepad)

    /// The one in use.
    public var gamepad: Gamepad? {
        if case .plugged(let gamepad) = self { gamepad } else { nil }
    }
}

/// Where game controllers come from; SDL, or a test.
public protocol Gamepads: AnyObject, Sendable {
    /// The newest known; costs a lock, no system call.
    var state: GamepadsState { get }
    /// Lets go of the controllers. Safe to call twice.
    func close()
}
