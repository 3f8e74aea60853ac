public import UAVLink

/// How fast to move: what a setpoint carries, without its frame and its time.
public struct Motion: Hashable, Sendable {
    /// x forward (or east), y left (or north), z up; metres per second.
    public var velocityMetresPerSecond: Vector3
    /// Radians per second, counter-clockwise positive.
    public var headingRateRadiansPerSecond: Double

    /// A motion.
    public init(velocityMetresPerSecond: Vector3, headingRateRadiansPerSecond: Double = 0) {
        self.velocityMetresPerSecond = velocityMetresPerSecond
        self.headingRateRadiansPerSecond = headingRateRadiansPerSecond
    }

    /// None.
    public static let none = Self(velocityMetresPerSecond: .zero)
}

/// The fastest that full sticks ask for.
public struct SpeedLimits: Hashable, Sendable {
    /// Forward, back and to the sides together, metres per second.
    public var horizontalMetresPerSecond: Double
    /// Up and down, metres per second.
    public var verticalMetresPerSecond: Double
    /// Turning, radians per second.
    public var turningRadiansPerSecond: Double

    /// Limits.
    public init(
        horizontalMetresPerSecond: Double, verticalMetresPerSecond: Double, turningRadiansPerSecond: Double
    ) {
        self.horizontalMetresPerSecond = horizontalMetresPerSecond
        self.verticalMetresPerSecond = verticalMetresPerSecond
        self.turningRadiansPerSecond = turningRadiansPerSecond
    }

    /// What a person can choose, the slowest first. The last is what the real stack's "medium" constraints allow, its
    /// default: 4 m/s, 2 m/s up, 1 rad/s. Asking for more would only be cut on the vehicle.
    public static let choices: [SpeedLimits] = [
        (0.5, 0.25, 15), (1, 0.5, 30), (1.5, 0.75, 40), (2, 1, 45), (2.5, 1.25, 50), (3, 1.5, 55), (4, 2, 57),
    ].map { horizontal, vertical, degrees in
        SpeedLimits(
            horizontalMetresPerSecond: horizontal, verticalMetresPerSecond: vertical,
            turningRadiansPerSecond: Heading.radians(degrees: degrees))
    }

    /// Modest ones: 2 m/s, 1 m/s up, 45 degrees a second.
    public static let modest = choices[3]

    /// The next faster (1) or slower (-1) of ``choices``; itself at the ends.
    public func stepped(_ step: Int) -> SpeedLimits {
        let at = Self.choices.lastIndex { $0.horizontalMetresPerSecond <= horizontalMetresPerSecond } ?? 0
        return Self.choices[min(max(at + step, 0), Self.choices.count - 1)]
    }
}
