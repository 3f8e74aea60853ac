/// What the parts of a node need to know of it.
struct NodeIdentity: Sendable {
    /// The complete name.
    let name: String
    /// The address told to others.
    let host: String
    /// The longest message taken from a peer, bytes.
    let maximumMessageBytes: Int
    /// Takes what is worth a line in a log.
    let onEvent: (@Sendable (ROSEvent) -> Void)?

    func tell(_ event: ROSEvent) { onEvent?(event) }
}
