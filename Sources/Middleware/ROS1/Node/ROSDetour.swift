/// A way around for a node's connections: a relay that delays them, a tunnel.
///
/// Both are asked on the node's I/O thread and must answer at once.
public struct ROSDetour: Sendable {
    /// Where to connect instead of this address (IPv4 in digits) and port.
    public var dial: @Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16)
    /// Which port others are told to reach the node at instead of the one on which it listens.
    public var announce: @Sendable (_ port: UInt16) -> UInt16

    /// A way around.
    public init(
        dial: @escaping @Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16),
        announce: @escaping @Sendable (_ port: UInt16) -> UInt16
    ) {
        self.dial = dial
        self.announce = announce
    }
}
