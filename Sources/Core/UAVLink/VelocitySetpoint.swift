/// A velocity and a heading rate, in effect until the setpoint expires or a newer one replaces it.
public struct VelocitySetpoint: Hashable, Sendable {
    /// What x, y and heading rate refer to.
    public enum Frame: UInt8, Sendable, CaseIterable {
        /// ENU axes of the vehicle's control frame.
        case world = 0
        /// x forward, y left, z up, without tilt.
        case body = 1
    }

    /// The longest validity of a setpoint: after 0.5 s the vehicle's tracker stops by itself.
    public static let longestValidity: Duration = .milliseconds(500)

    /// Metres per second.
    public var velocityMetresPerSecond: Vector3
    /// Radians per second, counter-clockwise positive.
    public var headingRateRadiansPerSecond: Double
    /// The axes.
    public var frame: Frame
    /// When the user or the planner intended it, on this machine's clock.
    public var intendedAt: MonotonicTime
    /// How long it is valid, from ``intendedAt``.
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

    /// Checks everything that can be checked without the vehicle; every link calls it before it sends.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names the value.
    public func validate() throws(LinkError) {
        guard velocityMetresPerSecond.isFinite, headingRateRadiansPerSecond.isFinite else {
            throw LinkError(.invalidInput, "the setpoint has a value that is not a finite number")
        }
        guard validFor > .zero, validFor <= Self.longestValidity else {
            throw LinkError(
                .invalidInput, "the setpoint's validity is \(validFor); it must be above 0 and at most 500 ms",
                hint: "the vehicle's tracker stops by itself after 500 ms")
        }
    }
}
