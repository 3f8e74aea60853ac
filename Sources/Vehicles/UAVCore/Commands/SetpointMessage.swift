public import UAVLink

extension MRSMsgs.VelocityReferenceStamped {
    /// A setpoint as the vehicle takes it; nothing in it needs the heap.
    ///
    /// The stamp stays zero, which means "now" to the vehicle. The empty frame is the one that it controls in.
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
