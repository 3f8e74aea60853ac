package import UAVLink

/// A setpoint as a robot takes it: one direction, and a speed in its program's unit.
package struct BlunoDrive: Hashable, Sendable {
    /// Where to.
    package var direction: RobotDirection
    /// 1 to the program's highest.
    package var speed: Int

    /// The larger deflection of both axes; `nil` for a neutral setpoint.
    package init?(_ setpoint: VelocitySetpoint, full: VehicleCapabilities.Steering.Speeds, mostSpeed: Int) {
        guard !setpoint.isNeutral else { return nil }
        let forward = setpoint.velocityMetresPerSecond.x / full.horizontalMetresPerSecond
        let turn = setpoint.headingRateRadiansPerSecond / full.turningRadiansPerSecond
        if abs(forward) >= abs(turn) {
            direction = forward > 0 ? .forward : .back
        } else {
            direction = turn > 0 ? .left : .right
        }
        let deflection = min(max(abs(forward), abs(turn)), 1)
        speed = max(Int(exactly: (deflection * Double(mostSpeed)).rounded()) ?? 0, 1)
    }
}
