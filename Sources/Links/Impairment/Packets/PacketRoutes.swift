internal import SystemIO
internal import SystemKit

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The routes of this computer, as far as a network device of ours could take their packets: a VPN that gives out addresses of
/// 198.18.0.0/15 for names, or a network for measurements that is really there.
struct PacketRoutes: Hashable, Sendable {
    /// One of the main table.
    struct Route: Hashable, Sendable {
        let device: String
        let destination: IPv4Octets
        let mask: UInt32
    }

    let routes: [Route]

    /// The longest table that is read: a router's with all routes of the internet is of some hundred megabytes, and not asked for.
    private static let mostBytes = 4 << 20
    /// A route of fewer bits than this is one to everywhere, as some VPNs split it, and not of that network.
    private static let fewestBits = 8

    /// From the text of `/proc/net/route`; lines that are none are left out.
    init(_ text: some StringProtocol) {
        routes = text.split(separator: "\n").compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            // In the byte order of the machine, which is little-endian on all that this runs on.
            guard words.count > 7, let destination = UInt32(words[1], radix: 16), let mask = UInt32(words[7], radix: 16)
            else { return nil }
            return Route(
                device: String(words[0]), destination: IPv4Octets(destination.byteSwapped), mask: mask.byteSwapped)
        }
    }

    /// Those of the calling thread's network; none where the system does not tell.
    static var own: Self {
        let bytes = (try? SmallFile.read("/proc/thread-self/net/route", limit: mostBytes)) ?? []
        return Self(String(decoding: bytes, as: UTF8.self))
    }

    /// Whose packets a device with these addresses would take; `nil` if nobody's.
    func owner(of addresses: PacketAddresses) -> String? {
        let mask = ~UInt32(0) << (32 - PacketAddresses.prefix)
        return routes.first { route in
            route.mask.nonzeroBitCount >= Self.fewestBits
                && (route.destination.value ^ addresses.own.value) & route.mask & mask == 0
        }?.device
    }

    /// The address from which this computer would send to another one; `nil` if it would not. Nothing is sent.
    static func source(towards address: IPv4Octets) -> String? {
        guard let target = RelayAddress(host: address.description, port: 9),
            let socket = RelaySocket.connected(to: target, stream: false)
        else { return nil }
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &length) }
        }
        return code == 0 ? IPv4Octets(UInt32(bigEndian: own.sin_addr.s_addr)).description : nil
    }
}
