internal import MRSMessages
internal import ROS1
internal import Synchronization
public import UAVLink

/// Publishes velocity references.
extension ROSLink {
    /// Writes the setpoint to the vehicle's socket on this thread; an expired one is counted and dropped.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `notConnected` if no node subscribes to setpoints, or the vehicle has stopped to publish what
    ///   it does: nothing says then that it obeys, or that the radio has not taken it. A neutral setpoint is sent anyway.
    ///
    /// The number on the receipt is the `seq` of the message's header.
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        let steering = try connectedGraph().steering
        let now = clock.now
        guard now - setpoint.intendedAt <= setpoint.validFor else {
            setpointsExpired.add(1, ordering: .relaxed)
            return SteeringReceipt(number: setpointsSent.load(ordering: .relaxed), sentAt: nil)
        }
        guard steering.subscriberCount > 0 else {
            throw LinkError(
                .notConnected, "the vehicle does not subscribe to '\(steering.topic)'",
                hint: "is its control manager running?")
        }
        // Never a brake: a vehicle that does not publish may still obey.
        if !setpoint.isNeutral, let topic = state.withLock({ $0.assembler.silentTopic(now: now) }) {
            throw LinkError(
                .notConnected, "no messages received on '\(names.name(of: topic))' any more",
                hint: "is the vehicle's flight stack running?")
        }
        return SteeringReceipt(number: publish(setpoint, by: steering, at: now), sentAt: clock.now)
    }

    /// Stops the vehicle before a command that has to wait for its tracker, unless that is not ours to do.
    func brake(by steering: ROSPublisher<MRSMsgs.VelocityReferenceStamped>) {
        let now = clock.now
        guard latestTelemetry?.permitsBrake(now: now) ?? true else { return }
        let neutral = VelocitySetpoint(
            velocityMetresPerSecond: .zero, intendedAt: now, validFor: VelocitySetpoint.longestValidity)
        _ = publish(neutral, by: steering, at: now)
    }

    private func publish(
        _ setpoint: VelocitySetpoint, by steering: ROSPublisher<MRSMsgs.VelocityReferenceStamped>, at now: MonotonicTime
    ) -> UInt64 {
        var message = MRSMsgs.VelocityReferenceStamped(setpoint)
        let number = setpointsSent.add(1, ordering: .relaxed).newValue
        message.header.seq = UInt32(truncatingIfNeeded: number)
        // Before it: a command that is given meanwhile is to know of it.
        gate.noteSetpoint(isNeutral: setpoint.isNeutral, at: now)
        steering.publish(message)
        return number
    }
}
