internal import MRSMessages
internal import ROS1
internal import Synchronization
public import UAVLink

/// Publishes velocity references.
extension ROSLink {
    /// Writes the setpoint to the vehicle's socket on this thread; an expired one is counted and dropped.
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) { _ = try steerNumbered(setpoint) }

    /// As ``steer(_:)``.
    ///
    /// - Returns: the `seq` of the message's header, which counts the setpoints of this link; `nil` for an expired
    ///   setpoint.
    public func steerNumbered(_ setpoint: VelocitySetpoint) throws(LinkError) -> UInt32? {
        try setpoint.validate()
        let steering = try connectedGraph().steering
        guard clock.now - setpoint.intendedAt <= setpoint.validFor else {
            setpointsExpired.add(1, ordering: .relaxed)
            return nil
        }
        guard steering.subscriberCount > 0 else {
            throw LinkError(
                .notConnected, "the vehicle does not subscribe to '\(steering.topic)'",
                hint: "is its control manager running?")
        }
        var message = MRSMsgs.VelocityReferenceStamped(setpoint)
        let number = UInt32(truncatingIfNeeded: setpointsSent.add(1, ordering: .relaxed).newValue)
        message.header.seq = number
        steering.publish(message)
        return number
    }
}
