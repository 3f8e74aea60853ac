public import UAVLink

/// What a backend can tell a ground that traces its session: about the vehicle's topics, besides the channel.
public protocol TraceSource: AnyObject, Sendable {
    /// Reports each velocity reference that another node sends to the vehicle: the `seq` of its header, and when it was read
    /// from the socket. `nil` ends it.
    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime) -> Void)?)
    /// When the vehicle sent the pose that was received then, on this machine's clock; `nil` if it is not known.
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime?
}
