internal import MRSMessages
internal import ROS1
internal import Synchronization
public import UAVLink

/// Publishes velocity references.
extension ROSLink {
    /// Writes the setpoint to the vehicle's socket on this thread; an expired one is counted and dropped.
    ///
    /// The number on the receipt is the `seq` of the message's header.
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        let steering = try connectedGraph().steering
        guard clock.now - setpoint.intendedAt <= setpoint.validFor else {
            setpointsExpired.add(1, ordering: .relaxed)
            return SteeringReceipt(number: setpointsSent.load(ordering: .relaxed), sentAt: nil)
        }
        guard steering.subscriberCount > 0 else {
            throw LinkError(
                .notConnected, "the vehicle does not subscribe to '\(steering.topic)'",
                hint: "is its control manager running?")
        }
        var message = MRSMsgs.VelocityReferenceStamped(setpoint)
        let number = setpointsSent.add(1, ordering: .relaxed).newValue
        message.header.seq = UInt32(truncatingIfNeeded: number)
        steering.publish(message)
        return SteeringReceipt(number: number, sentAt: clock.now)
    }
}
