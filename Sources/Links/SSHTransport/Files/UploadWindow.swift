/// How many write requests of an upload may be pending.
///
/// It grows with every confirmation, as the window of TCP does at first: a fast link is used fully after a few round trips, and over a slow
/// one the first confirmation does not wait until all of the largest window has gone out.
struct UploadWindow: Hashable, Sendable {
    /// Bytes per write request, as in OpenSSH's client: 32 kB fit into every server's packets.
    static let piece = 32 * 1024
    /// At first 128 kB: at 0.5 Mbit/s they take 2 s, at 64 kbit/s, the slowest radio that is worth it, 16 s.
    static let first = 4
    /// At last 2 MB, a channel's window, so that throughput does not depend on the round trip.
    static let last = 64

    /// The write requests that may be pending now.
    private(set) var pendingWrites = Self.first

    /// Notes that the vehicle has confirmed one.
    mutating func confirmed() { pendingWrites = min(pendingWrites + 1, Self.last) }
}
