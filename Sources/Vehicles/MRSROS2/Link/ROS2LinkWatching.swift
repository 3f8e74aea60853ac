internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2
internal import ROS2Node
internal import Synchronization
package import UAVLink

/// What a measurement of latencies needs to know about the vehicle's topics.
extension ROS2Link {
    /// When the vehicle sent the pose that this link received then, by the stamp of its message and the wall clocks of both machines;
    /// `nil` if it had none, or is no longer remembered.
    package func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? {
        state.withLock { $0.assembler.stamp(ofPoseAt: instant) }
    }

    /// Subscribes to the vehicle's velocity references and reports them: the number in the attachment, when it was received, and
    /// whether it is one of this link. `nil` ends the subscription.
    package func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?) {
        guard let seen, let graph = try? connectedGraph() else { return keep(watch: nil) }
        let (own, clock) = (graph.steering.id, clock)
        let watch = try? graph.node.subscribe(
            to: names.name(of: .velocityReference), type: MRSMsgs.VelocityReferenceStamped.self
        ) { _, attachment in
            let now = clock.now
            seen(UInt32(truncatingIfNeeded: attachment.sequence), now, attachment.sender == own)
        }
        keep(watch: watch)
    }

    private func keep(watch: ROS2Subscription?) {
        let old = state.withLock { state in
            defer { state.watch = watch }
            return state.watch
        }
        old?.cancel()
    }
}
