/// A link on the vehicle that sees which velocity references other nodes send there.
public protocol SetpointWatching: UAVLink {
    /// Tells of each from now on: the `seq` of its header, and when it was read from the socket; `nil` ends it.
    ///
    /// References that this link sends itself are not among them.
    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime) -> Void)?)
}
