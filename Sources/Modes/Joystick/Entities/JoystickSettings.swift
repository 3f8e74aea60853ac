public import UAVLink

/// How a person likes to fly.
public struct JoystickSettings: Hashable, Sendable {
    /// Where sticks come from.
    public enum Source: Hashable, Sendable { case keyboard, controller }

    /// Where sticks come from.
    public var source = Source.keyboard
    /// Setpoints a second.
    public var rateHertz = 100.0
    /// What forward refers to.
    public var frame = VelocitySetpoint.Frame.body
    /// Which stick does what.
    public var layout = StickLayout.mode2
    /// Dead zone, curve and speed limits.
    public var shaping = StickShaping()
    /// How fast speeds may change.
    public var slew = SlewLimiter.Limits()
    /// How far a step goes where the terminal tells no key-up.
    public var steps = StepKeys.Lengths()

    /// Keyboard, 100 Hz, body axes, mode 2, modest speeds.
    public init() {}

    /// Rates that can be chosen. At 10 Hz the pause between two setpoints is half of what each is good for.
    public static let rates: [Double] = [10, 20, 50, 100, 200, 250, 500, 1000]

    /// The next higher (1) or lower (-1) of ``rates``; itself at the ends.
    func steppedRate(_ step: Int) -> Double {
        let at = Self.rates.lastIndex { $0 <= rateHertz } ?? 0
        return Self.rates[min(max(at + step, 0), Self.rates.count - 1)]
    }
}
