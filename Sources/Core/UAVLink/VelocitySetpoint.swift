/// How fast to move, from now until the setpoint expires or a newer one comes.
public struct VelocitySetpoint: Hashable, Sendable {
    /// What x, y and heading rate refer to.
    public enum Frame: UInt8, Sendable, CaseIterable {
        /// ENU axes of the frame that the vehicle controls in.
        case world = 0
        /// x forward, y left, z up, without the vehicle's tilt.
        case body = 1
    }

    /// Longest time a setpoint may be good for: past it the vehicle's own tracker has stopped by itself (0.5 s).
    public static let longestValidity: Duration = .milliseconds(500)

    /// Metres per second.
    public var velocityMetresPerSecond: Vector3
    /// Radians per second, counter-clockwise positive.
    public var headingRateRadiansPerSecond: Double
    /// The axes.
    public var frame: Frame
    /// When the person or the planner meant it, on this machine's clock.
    public var intendedAt: MonotonicTime
    /// How long it is good for, counted from ``intendedAt``.
    public var validFor: Duration

    /// A setpoint.
    public init(
        velocityMetresPerSecond: Vector3, headingRateRadiansPerSecond: Double = 0, frame: Frame = .world,
        intendedAt: MonotonicTime, validFor: Duration = .milliseconds(200)
    ) {
        self.velocityMetresPerSecond = velocityMetresPerSecond
        self.headingRateRadiansPerSecond = headingRateRadiansPerSecond
        self.frame = frame
        self.intendedAt = intendedAt
        self.validFor = validFor
    }

    /// Whether it asks for no motion at all.
    public var isNeutral: Bool { velocityMetresPerSecond == .zero && headingRateRadiansPerSecond == 0 }

    /// Checks everything that can be checked without the vehicle; every link calls it before a byte leaves.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names the value.
    public func validate() throws(LinkError) {
        guard velocityMetresPerSecond.isFinite, headingRateRadiansPerSecond.isFinite else {
            throw LinkError(.invalidInput, "the setpoint has a value that is not a finite number")
        }
        guard validFor > .zero, validFor <= Self.longestValidity else {
            throw LinkError(
                .invalidInput, "the setpoint is good for \(validFor), which is not within 0 to 500 ms",
                hint: "the vehicle's tracker stops after 500 ms by itself")
        }
    }
}
