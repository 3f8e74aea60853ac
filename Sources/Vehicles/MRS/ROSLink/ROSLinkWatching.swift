internal import ROS1
internal import ROSMessages
internal import Synchronization
public import UAVLink

/// What a measurement of latencies needs to know about the vehicle's topics.
extension ROSLink {
    /// When the vehicle sent the pose that this link received then, by the stamp of its message and the wall clocks of
    /// both machines; `nil` if it had none, or is no longer remembered.
    public func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? {
        state.withLock { $0.assembler.stamp(ofPoseAt: instant) }
    }

    /// Subscribes to the vehicle's velocity references and reports them: the `seq` of the header, when it was read from the
    /// socket, and whether it is one of this link. `nil` ends the subscription.
    public func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?) {
        guard let seen, let node = try? connectedGraph().node else { return keep(watch: nil) }
        let (own, clock) = (node.name, clock)
        let topic = names.name(of: .velocityReference)
        let watch = try? node.subscribeInPlace(topic) { bytes, block, header in
            let now = clock.now
            // A message begins with its header, whose first field is `seq`.
            guard block.count >= 4 else { return }
            let number = bytes[block.lowerBound..<block.lowerBound + 4].reversed().reduce(UInt32(0)) {
                $0 << 8 | UInt32($1)
            }
            seen(number, now, header.callerID == own)
        }
        keep(watch: watch)
    }
}
