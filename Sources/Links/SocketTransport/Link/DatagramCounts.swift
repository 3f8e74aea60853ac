internal import Synchronization

/// Datagrams of a link over UDP, without the headers of IP and UDP.
public struct DatagramCounts: Hashable, Sendable {
    /// Those that the kernel accepted.
    public var sent = 0
    /// Their bytes.
    public var bytesSent = 0
    /// Those that arrived.
    public var received = 0
    /// Their bytes.
    public var bytesReceived = 0

    /// None yet.
    public init() {}
}

extension SocketLink {
    /// The datagrams of the present connection, and its number, counted from 1 over the link's life; `nil` without a connection, and
    /// over TCP.
    public var datagramCounts: (connection: Int, counts: DatagramCounts)? {
        core.state.withLock { state in
            guard let connection = state.phase.connection, !connection.carrier.isStream else { return nil }
            return (connection.number, connection.carrier.datagrams)
        }
    }
}
