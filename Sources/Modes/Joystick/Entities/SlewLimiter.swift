public import FlightControl
internal import UAVLink

/// Lets a motion change only so fast: a stick that is thrown over asks for an acceleration, not for a jump.
///
/// Slowing down is allowed to be faster than speeding up, so that letting go stops soon.
public struct SlewLimiter: Hashable, Sendable {
    /// How fast speeds may change.
    public struct Limits: Hashable, Sendable {
        /// Speeding up horizontally, m/s2.
        public var horizontalAcceleration = 2.0
        /// Slowing down horizontally, m/s2: what the stack's "fast" constraints allow.
        public var horizontalBraking = 4.0
        /// Speeding up vertically, m/s2: the "medium" constraints.
        public var verticalAcceleration = 1.0
        /// Slowing down vertically, m/s2.
        public var verticalBraking = 2.0
        /// Speeding up a turn, rad/s2.
        public var turningAcceleration = 1.5
        /// Slowing down a turn, rad/s2.
        public var turningBraking = 3.0

        /// What is modest for a hexacopter.
        public init() {}
    }

    /// The longest time that one step makes up for: after a stall the motion goes on where it was.
    static let longestStep = 0.1

    /// The limits.
    public let limits: Limits
    /// The motion of the last step.
    public private(set) var motion = Motion.none

    /// At rest.
    public init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Whether nothing moves.
    public var isAtRest: Bool { motion == .none }

    /// At rest, at once.
    public mutating func reset() { motion = .none }

    /// The motion after so many seconds, on its way to the wanted one.
    public mutating func step(toward wanted: Motion, seconds: Double) -> Motion {
        let time = seconds.isFinite ? min(max(seconds, 0), Self.longestStep) : 0
        let (v, w) = (motion.velocityMetresPerSecond, wanted.velocityMetresPerSecond)
        let (x, y) = Self.horizontal(from: (v.x, v.y), to: (w.x, w.y), limits, time)
        let z = Self.along(v.z, w.z, limits.verticalAcceleration, limits.verticalBraking, time)
        motion = Motion(
            velocityMetresPerSecond: Vector3(x: x, y: y, z: z),
            headingRateRadiansPerSecond: Self.along(
                motion.headingRateRadiansPerSecond, wanted.headingRateRadiansPerSecond, limits.turningAcceleration,
                limits.turningBraking, time))
        return motion
    }

    /// One number: braking while it is taken back towards zero, and not beyond zero within the same step.
    private static func along(
        _ from: Double, _ to: Double, _ acceleration: Double, _ braking: Double, _ time: Double
    ) -> Double {
        let brakes = from * to < 0 || to.magnitude < from.magnitude
        let target = from * to < 0 ? 0 : to
        let change = (brakes ? braking : acceleration) * time
        return from < target ? min(from + change, target) : max(from - change, target)
    }

    /// The horizontal velocity as one vector: both axes arrive together, so that a diagonal stays straight.
    private static func horizontal(
        from: (x: Double, y: Double), to: (x: Double, y: Double), _ limits: Limits, _ time: Double
    ) -> (x: Double, y: Double) {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        // Whether the change points against the motion: then it slows down.
        let brakes = dx * from.x + dy * from.y < 0
        let reach = (brakes ? limits.horizontalBraking : limits.horizontalAcceleration) * time
        guard distance > reach else { return to }
        return (from.x + dx / distance * reach, from.y + dy / distance * reach)
    }
}
