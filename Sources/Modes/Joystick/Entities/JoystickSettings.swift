package import UAVLink

/// The user's settings for steering.
package struct JoystickSettings: Hashable, Sendable {
    /// The input device.
    package enum Source: Hashable, Sendable { case keyboard, controller }

    /// The input device.
    package var source = Source.keyboard
    /// Setpoint rate, Hz.
    package var rateHertz = 100.0
    /// The frame of velocities.
    package var frame = VelocitySetpoint.Frame.body
    /// The assignment of stick axes.
    package var layout = StickLayout.mode2
    /// Dead zone, curve and speed limits.
    package var shaping = StickShaping()
    /// Limits of acceleration and deceleration.
    package var slew = SlewLimiter.Limits()
    /// The length of a step on a terminal that does not report key releases.
    package var steps = StepKeys.Lengths()

    /// The defaults: keyboard, 100 Hz, body frame, mode 2, modest speeds.
    package init() {}

    /// The rates to choose from, Hz. At 10 Hz the period is half of a setpoint's usual validity (200 ms).
    package static let rates: [Double] = [10, 20, 50, 100, 200, 250, 500, 1000]

    /// The next higher (1) or lower (-1) of ``rates``; at the ends the rate stays.
    func steppedRate(_ step: Int) -> Double {
        let at = Self.rates.lastIndex { $0 <= rateHertz } ?? 0
        return Self.rates[min(max(at + step, 0), Self.rates.count - 1)]
    }
}
