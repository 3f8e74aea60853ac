internal import Synchronization
public import UAVLink

/// A companion that counts stops, once a test says how many there were.
extension FakeLink: ControlledLink {
    /// How many stops and grants there were; at first it counts none, and does not arbitrate.
    public var knownStops: UInt64? { state.withLock { $0.stops } }

    /// Sets how many there were, as if others had given them.
    public func setKnownStops(_ count: UInt64?) { state.withLock { $0.stops = count } }

    /// Grants every request, which counts.
    public func control(_ request: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError)
        -> CommandReply
    {
        switch request {
        case .take, .takeOver: state.withLock { $0.countStop() }
        case .release: break
        }
        return CommandReply(accepted: true, message: "")
    }
}

extension FakeLink.State {
    /// One more, if it counts.
    mutating func countStop() {
        if let stops { self.stops = stops + 1 }
    }
}
