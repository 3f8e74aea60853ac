internal import ROS1
internal import ROSMessages
public import UAVLink

/// Lets a companion report the setpoints that reach the vehicle past it, for a ground that measures its other link.
extension ROSLink: SetpointWatching {
    /// Subscribes to the vehicle's velocity references; `nil` ends the subscription.
    public func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime) -> Void)?) {
        guard let seen, let node = try? connectedGraph().node else { return keep(watch: nil) }
        let (own, clock) = (node.name, clock)
        let topic = names.name(of: .velocityReference)
        let watch = try? node.subscribeInPlace(topic) { bytes, block, header in
            let now = clock.now
            // A message begins with its header, whose first field is `seq`.
            guard header.callerID != own, block.count >= 4 else { return }
            let number = bytes[block.lowerBound..<block.lowerBound + 4].reversed().reduce(UInt32(0)) {
                $0 << 8 | UInt32($1)
            }
            seen(number, now)
        }
        keep(watch: watch)
    }
}
