#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The TCP connections of this process to others, and what the kernel says went over each: payload, and segments with those that
/// were sent again.
struct OwnConnections: Sendable {
    /// A socket, as long as it is open.
    struct Identity: Hashable, Sendable {
        var descriptor: Int32
        var number: UInt64
    }

    private(set) var counts: [Identity: LinkCost.Traffic] = [:]

    init(counts: [Identity: LinkCost.Traffic] = [:]) { self.counts = counts }

    private struct End: Hashable {
        var family: sa_family_t
        var bytes: [UInt8]
    }

    /// As many descriptors are looked at.
    private static let most: Int32 = 4096

    /// Those that are open now; none where the system does not count.
    static var now: OwnConnections {
        var found = OwnConnections()
        #if os(Linux)
            var ends: [(identity: Identity, own: End, peer: End, traffic: LinkCost.Traffic)] = []
            let limit = min(Int32(clamping: sysconf(Int32(clamping: _SC_OPEN_MAX))), most)
            for descriptor in 0..<max(limit, 0) {
                var status = stat()
                guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
                    let traffic = traffic(of: descriptor), let own = end(of: descriptor, getsockname),
                    let peer = end(of: descriptor, getpeername)
                else { continue }
                ends.append(
                    (.init(descriptor: descriptor, number: UInt64(clamping: status.st_ino)), own, peer, traffic))
            }
            // Both ends are ours: a relay, or the port that an SSH tunnel is reached at.
            let local = Set(ends.map(\.own))
            for end in ends where !local.contains(end.peer) { found.counts[end.identity] = end.traffic }
        #endif
        return found
    }

    #if os(Linux)
        /// `struct tcp_info` of Linux 4.6 and later (`linux/tcp.h`): `tcpi_bytes_acked`, `tcpi_bytes_received`, `tcpi_segs_out` and
        /// `tcpi_segs_in` at these bytes.
        private static let (acked, received, segmentsOut, segmentsIn, least) = (120, 128, 136, 140, 144)

        private static func traffic(of descriptor: Int32) -> LinkCost.Traffic? {
            withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                var length = socklen_t(buffer.count)
                guard getsockopt(descriptor, Int32(clamping: IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &length) == 0,
                    length >= least
                else { return nil }
                func number(_ offset: Int) -> Int {
                    Int(clamping: buffer.load(fromByteOffset: offset, as: UInt64.self))
                }
                func small(_ offset: Int) -> Int { Int(clamping: buffer.load(fromByteOffset: offset, as: UInt32.self)) }
                return LinkCost.Traffic(
                    packetsUp: small(segmentsOut), bytesUp: number(acked), packetsDown: small(segmentsIn),
                    bytesDown: number(received))
            }
        }

        private typealias Asking = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

        /// Port and address, of IPv4 and IPv6: what follows the family.
        private static func end(of descriptor: Int32, _ ask: Asking) -> End? {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let status = withUnsafeMutablePointer(to: &address) { place in
                place.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &length) }
            }
            guard status == 0 else { return nil }
            let family = address.ss_family
            let bytes = withUnsafeBytes(of: &address) { raw -> [UInt8] in
                // An IPv6 address is preceded by its flow.
                family == sa_family_t(AF_INET) ? Array(raw[2..<8]) : Array(raw[2..<4]) + Array(raw[8..<24])
            }
            return End(family: family, bytes: bytes)
        }
    #endif

    /// What went over these since `earlier`; one that was not open then has it from its beginning.
    func traffic(since earlier: OwnConnections, of own: Set<Identity>) -> LinkCost.Traffic {
        counts.filter { own.contains($0.key) }.reduce(LinkCost.Traffic()) { sum, entry in
            sum + (entry.value - (earlier.counts[entry.key] ?? LinkCost.Traffic()))
        }
    }
}
