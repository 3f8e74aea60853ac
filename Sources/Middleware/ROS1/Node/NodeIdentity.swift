/// The properties of a node that its parts share.
struct NodeIdentity: Sendable {
    /// The fully qualified name.
    let name: String
    /// The host name or address announced to other nodes.
    let host: String
    /// The largest message accepted from a peer, bytes.
    let maximumMessageBytes: Int
    /// Receives events for the log.
    let onEvent: (@Sendable (ROSEvent) -> Void)?

    func tell(_ event: ROSEvent) { onEvent?(event) }
}
