/// A link on the vehicle that can observe the velocity references that other nodes send.
public protocol SetpointWatching: UAVLink {
    /// Reports each reference: the `seq` of its header, and when it was read from the socket; `nil` stops it.
    ///
    /// References sent by this link are not reported.
    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime) -> Void)?)
}
