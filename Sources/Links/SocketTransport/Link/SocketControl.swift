internal import ChannelProtocol
public import UAVLink

/// Control authority, decided by the companion.
extension SocketLink: ControlledLink {
    /// See ``UAVLink/ControlledLink/control(_:within:)``.
    public func control(_ request: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError)
        -> CommandReply
    {
        let asked = ContinuousClock.now
        guard case .control(var reply) = try await ask(.control(request), within: timeout) else { throw Self.mistaken }
        reply.roundTrip = .now - asked
        return reply
    }

    /// See ``UAVLink/ControlledLink/knownStops``.
    public var knownStops: UInt64? { core.knownStops }
}
