public import UAVLink

/// The user's settings for steering.
public struct JoystickSettings: Hashable, Sendable {
    /// The input device.
    public enum Source: Hashable, Sendable { case keyboard, controller }

    /// The input device.
    public var source = Source.keyboard
    /// Setpoint rate, Hz.
    public var rateHertz = 100.0
    /// The frame of velocities.
    public var frame = VelocitySetpoint.Frame.body
    /// The assignment of stick axes.
    public var layout = StickLayout.mode2
    /// Dead zone, curve and speed limits.
    public var shaping = StickShaping()
    /// Limits of acceleration and deceleration.
    public var slew = SlewLimiter.Limits()
    /// The length of a step on a terminal that does not report key releases.
    public var steps = StepKeys.Lengths()

    /// The defaults: keyboard, 100 Hz, body frame, mode 2, modest speeds.
    public init() {}

    /// The rates to choose from, Hz. At 10 Hz the period is half of a setpoint's usual validity (200 ms).
    public static let rates: [Double] = [10, 20, 50, 100, 200, 250, 500, 1000]

    /// The next higher (1) or lower (-1) of ``rates``; at the ends the rate stays.
    func steppedRate(_ step: Int) -> Double {
        let at = Self.rates.lastIndex { $0 <= rateHertz } ?? 0
        return Self.rates[min(max(at + step, 0), Self.rates.count - 1)]
    }
}
