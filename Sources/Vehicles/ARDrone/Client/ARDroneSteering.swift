package import UAVLink

/// Which setpoint is followed: the newest, until it expires, after a neutral one. A value with the time passed in.
///
/// Without one the control loop sends that the drone hovers, so that nothing has to brake it.
package struct ARDroneSteering: Sendable {
    private var held: (sticks: ATSticks, isNeutral: Bool, until: MonotonicTime)?
    private var newestIntention: MonotonicTime?

    /// Nothing is followed.
    package init() {}

    /// Takes a setpoint: newest wins, and the first one must be neutral.
    ///
    /// - Returns: whether it is followed; an expired one, one that is older than its predecessor, and one that asks for motion
    ///   before a neutral one are not.
    package mutating func take(_ setpoint: VelocitySetpoint, as sticks: ATSticks, now: MonotonicTime) -> Bool {
        // None is of the future: it would fly on for longer than any is valid, and no later one would stop it.
        let intendedAt = min(setpoint.intendedAt, now)
        let until = intendedAt + setpoint.validFor
        guard until > now, intendedAt >= newestIntention ?? intendedAt else { return false }
        lapse(now: now)
        guard held != nil || setpoint.isNeutral else { return false }
        held = (sticks, setpoint.isNeutral, until)
        newestIntention = intendedAt
        return true
    }

    /// Nothing is followed from now on, until a neutral setpoint comes.
    package mutating func release() { held = nil }

    /// Setpoints that have stopped do not go on by themselves, however late that is noticed.
    private mutating func lapse(now: MonotonicTime) { if let held, held.until <= now { self.held = nil } }

    /// The sticks now; `nil` to hover: while nothing is followed, and while neutral setpoints are.
    package mutating func sticks(now: MonotonicTime) -> ATSticks? {
        lapse(now: now)
        guard let held, !held.isNeutral else { return nil }
        return held.sticks
    }

    /// Whether setpoints are followed.
    package var isSteering: Bool { held != nil }
    /// Whether the drone was asked for motion.
    package var isMoving: Bool { held.map { !$0.isNeutral } ?? false }
    /// When what is followed expires.
    package var expiresAt: MonotonicTime? { held?.until }
}

extension ATSticks {
    /// The sticks for a velocity in the body frame; what is faster than `full` is a full deflection.
    package init(_ setpoint: VelocitySetpoint, full: VehicleCapabilities.Steering.Speeds) {
        let velocity = setpoint.velocityMetresPerSecond
        // UAVLink's y is to the left, its turns are counter-clockwise, and forward is nose down.
        self.init(
            roll: -velocity.y / full.horizontalMetresPerSecond, pitch: -velocity.x / full.horizontalMetresPerSecond,
            climb: velocity.z / full.verticalMetresPerSecond,
            yaw: -setpoint.headingRateRadiansPerSecond / full.turningRadiansPerSecond)
    }
}
