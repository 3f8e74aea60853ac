public import MRSMessages
public import UAVLink

extension MRSMsgs.VelocityReferenceStamped {
    /// Converts a setpoint to the vehicle's message, without heap allocation.
    ///
    /// The stamp stays zero, which means "now" to the vehicle. The empty frame name is its control frame.
    public init(_ setpoint: VelocitySetpoint) {
        self.init()
        header.frameID =
            switch setpoint.frame {
            case .world: FrameName.current.name
            case .body: FrameName.bodyUntilted.name
            }
        let velocity = setpoint.velocityMetresPerSecond
        reference.velocity = GeometryMsgs.Vector3(x: velocity.x, y: velocity.y, z: velocity.z)
        reference.headingRate = setpoint.headingRateRadiansPerSecond
        reference.useHeadingRate = true
    }
}
