public import UAVLink

/// The companion decides who flies.
extension SocketLink: ControlledLink {
    /// See ``UAVLink/ControlledLink/control(_:within:)``.
    public func control(_ wish: ControlWish, within timeout: Duration) async throws(LinkError) -> CommandReply {
        guard case .control(let reply) = try await ask(.control(wish), within: timeout) else { throw Self.mistaken }
        return reply
    }
}
