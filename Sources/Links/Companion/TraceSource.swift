internal import Synchronization
public import UAVLink

/// What a backend can tell a ground that traces its session: about the vehicle's topics, besides the channel.
public protocol TraceSource: AnyObject, Sendable {
    /// Reports each velocity reference that is sent to the vehicle: the `seq` of its header, when it was read from the socket, and
    /// whether the backend itself has sent it. `nil` ends it.
    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?)
    /// When the vehicle sent the pose that was received then, on this machine's clock; `nil` if it is not known.
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime?
}

/// What of it a ground is told that traces its session.
extension Companion {
    /// That of the message, if the backend watches what it sends.
    public var publishedSetpoint: UInt32? {
        traceSource.map { _ in UInt32(truncatingIfNeeded: published.load(ordering: .relaxed)) }
    }

    /// Lets the backend watch setpoints, if it can.
    public func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?) {
        traceSource?.watchSetpoints(seen)
    }

    /// The backend's stamp of that pose.
    public func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? { traceSource?.stamp(ofPoseAt: instant) }
}
