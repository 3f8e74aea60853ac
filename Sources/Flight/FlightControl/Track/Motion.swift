package import UAVLink

/// A velocity and a heading rate: a setpoint without frame and time.
package struct Motion: Hashable, Sendable {
    /// x forward (or east), y left (or north), z up; metres per second.
    package var velocityMetresPerSecond: Vector3
    /// Radians per second, counter-clockwise positive.
    package var headingRateRadiansPerSecond: Double

    package init(velocityMetresPerSecond: Vector3, headingRateRadiansPerSecond: Double = 0) {
        self.velocityMetresPerSecond = velocityMetresPerSecond
        self.headingRateRadiansPerSecond = headingRateRadiansPerSecond
    }

    /// No motion.
    package static let none = Self(velocityMetresPerSecond: .zero)
}

/// The speeds at full stick deflection.
package struct SpeedLimits: Hashable, Sendable {
    /// Horizontal speed in any direction, metres per second.
    package var horizontalMetresPerSecond: Double
    /// Up and down, metres per second.
    package var verticalMetresPerSecond: Double
    /// Heading rate, radians per second.
    package var turningRadiansPerSecond: Double

    /// Limits.
    package init(
        horizontalMetresPerSecond: Double, verticalMetresPerSecond: Double, turningRadiansPerSecond: Double
    ) {
        self.horizontalMetresPerSecond = horizontalMetresPerSecond
        self.verticalMetresPerSecond = verticalMetresPerSecond
        self.turningRadiansPerSecond = turningRadiansPerSecond
    }

    /// The selectable limits, slowest first. The last are the flight stack's default constraints "medium": 4 m/s, 2 m/s
    /// vertically, 1 rad/s; the vehicle would clip anything faster.
    package static let choices: [SpeedLimits] = [
        (0.5, 0.25, 15), (1, 0.5, 30), (1.5, 0.75, 40), (2, 1, 45), (2.5, 1.25, 50), (3, 1.5, 55), (4, 2, 57),
    ].map { horizontal, vertical, degrees in
        SpeedLimits(
            horizontalMetresPerSecond: horizontal, verticalMetresPerSecond: vertical,
            turningRadiansPerSecond: Heading.radians(degrees: degrees))
    }

    /// The default limits: 2 m/s, 1 m/s vertically, 45 degrees per second.
    package static let defaultLimits = choices[3]

    /// The next faster (1) or slower (-1) of ``choices``, clamped at the ends.
    package func stepped(_ step: Int) -> SpeedLimits {
        let at = Self.choices.lastIndex { $0.horizontalMetresPerSecond <= horizontalMetresPerSecond } ?? 0
        return Self.choices[min(max(at + step, 0), Self.choices.count - 1)]
    }
}
