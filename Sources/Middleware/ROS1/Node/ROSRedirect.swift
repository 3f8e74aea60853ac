/// Redirects a node's connections, for example through a relay that adds delay, or a tunnel.
///
/// Both closures are called on the node's I/O thread and must not block.
public struct ROSRedirect: Sendable {
    /// Maps a destination (numeric IPv4 address and port) to the one to connect to.
    public var dial: @Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16)
    /// Maps a port on which the node listens to the one announced to other nodes.
    public var announce: @Sendable (_ port: UInt16) -> UInt16

    /// Creates a redirection.
    public init(
        dial: @escaping @Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16),
        announce: @escaping @Sendable (_ port: UInt16) -> UInt16
    ) {
        self.dial = dial
        self.announce = announce
    }
}
