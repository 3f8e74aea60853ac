package import FlightControl
internal import UAVLink

/// Limits the rate of change of a motion: a step of the stick becomes an acceleration, not a velocity step.
///
/// Deceleration limits are higher than acceleration limits, so that the vehicle stops soon when the stick is released.
package struct SlewLimiter: Hashable, Sendable {
    /// Limits of acceleration and deceleration.
    package struct Limits: Hashable, Sendable {
        /// Horizontal acceleration, m/s2.
        package var horizontalAcceleration = 2.0
        /// Horizontal deceleration, m/s2: as in the flight stack's "fast" constraints.
        package var horizontalBraking = 4.0
        /// Vertical acceleration, m/s2: as in the "medium" constraints.
        package var verticalAcceleration = 1.0
        /// Vertical deceleration, m/s2.
        package var verticalBraking = 2.0
        /// Acceleration of the heading rate, rad/s2.
        package var turningAcceleration = 1.5
        /// Deceleration of the heading rate, rad/s2.
        package var turningBraking = 3.0

        /// Modest limits for a hexacopter.
        package init() {}
    }

    /// The longest time of one step, seconds: after a stall the motion continues from where it was.
    static let longestStep = 0.1

    package let limits: Limits
    /// The motion of the last step.
    package private(set) var motion = Motion.none

    /// A limiter without motion.
    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Whether the motion is zero.
    package var isAtRest: Bool { motion == .none }

    /// Sets the motion to zero without a ramp.
    package mutating func reset() { motion = .none }

    /// Advances the motion towards the wanted one by a time, in seconds, and returns it.
    package mutating func step(toward wanted: Motion, seconds: Double) -> Motion {
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

    /// One axis: decelerates while the magnitude shrinks, and does not cross zero within a step.
    private static func along(
        _ from: Double, _ to: Double, _ acceleration: Double, _ braking: Double, _ time: Double
    ) -> Double {
        let brakes = from * to < 0 || to.magnitude < from.magnitude
        let target = from * to < 0 ? 0 : to
        let change = (brakes ? braking : acceleration) * time
        return from < target ? min(from + change, target) : max(from - change, target)
    }

    /// The horizontal velocity as one vector: both axes reach the target together, so that a diagonal stays straight.
    private static func horizontal(
        from: (x: Double, y: Double), to: (x: Double, y: Double), _ limits: Limits, _ time: Double
    ) -> (x: Double, y: Double) {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        // A change against the motion is a deceleration.
        let brakes = dx * from.x + dy * from.y < 0
        let reach = (brakes ? limits.horizontalBraking : limits.horizontalAcceleration) * time
        guard distance > reach else { return to }
        return (from.x + dx / distance * reach, from.y + dy / distance * reach)
    }
}
