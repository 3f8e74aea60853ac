internal import UAVLink

/// A setpoint on the wire; times are on the ground's clock.
struct Steering: Equatable {
    /// Counts setpoints from 1.
    var number: UInt64
    var setpoint: VelocitySetpoint

    func write(_ writer: inout WireWriter) {
        writer.put(FrameKind.steering)
        writer.put(number)
        writer.put(setpoint.intendedAt.nanoseconds)
        writer.put(UInt32(clamping: setpoint.validFor.nanoseconds / 1000))
        writer.put(setpoint.frame.rawValue)
        writer.put(setpoint.velocityMetresPerSecond.x)
        writer.put(setpoint.velocityMetresPerSecond.y)
        writer.put(setpoint.velocityMetresPerSecond.z)
        writer.put(setpoint.headingRateRadiansPerSecond)
    }

    init(number: UInt64, setpoint: VelocitySetpoint) {
        self.number = number
        self.setpoint = setpoint
    }

    init(_ reader: inout WireReader) throws(WireError) {
        number = try reader.integer()
        let intended = MonotonicTime(nanoseconds: try reader.integer())
        let validity = Int64(try reader.integer(UInt32.self)) * 1000
        guard validity > 0, validity <= VelocitySetpoint.longestValidity.nanoseconds else { throw .invalid }
        guard let frame = VelocitySetpoint.Frame(rawValue: try reader.integer()) else { throw .invalid }
        let velocity = Vector3(x: try reader.finite(), y: try reader.finite(), z: try reader.finite())
        setpoint = VelocitySetpoint(
            velocityMetresPerSecond: velocity, headingRateRadiansPerSecond: try reader.finite(), frame: frame,
            intendedAt: intended, validFor: .nanoseconds(validity))
        try reader.end()
    }
}
