#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// An IPv4 or IPv6 address with its port.
struct SocketAddress: Sendable, Equatable {
    private var storage: sockaddr_storage
    private var length: socklen_t

    init() {
        storage = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    }

    init?(_ address: UnsafePointer<sockaddr>?, length: socklen_t) {
        guard let address, Int(length) <= MemoryLayout<sockaddr_storage>.size else { return nil }
        storage = sockaddr_storage()
        self.length = length
        withUnsafeMutableBytes(of: &storage) { target in
            target.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The port, converted from network order; it is at the same offset in both families.
    var port: UInt16 {
        withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    }

    /// Identifies the source of a connection by what it cannot choose freely: its IPv4 address, or the 64-bit network prefix of
    /// its IPv6 address, since a host may use any address in that prefix. Within one local network all share the prefix, so
    /// there (link-local and zero prefixes) the interface identifier is used instead.
    struct Origin: Hashable {
        fileprivate var half: UInt64 = 0
    }

    var origin: Origin {
        withUnsafeBytes(of: storage) { bytes in
            func integer<Value: FixedWidthInteger>(at offset: Int) -> Value {
                Value(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
            }
            switch family {
            case AF_INET: return Origin(half: Self.mapped | UInt64(integer(at: 4) as UInt32))
            case AF_INET6:
                let (network, rest): (UInt64, UInt64) = (integer(at: 8), integer(at: 16))
                return Origin(half: network == 0 || network >> 54 == Self.linkLocal ? rest : network)
            default: return Origin()
            }
        }
    }

    /// The prefix of an IPv4 address in the lower half of its IPv6-mapped form (RFC 4291, 2.5.5.2).
    private static let mapped: UInt64 = 0xFFFF_0000_0000
    /// The ten prefix bits of fe80::/10.
    private static let linkLocal: UInt64 = 0xFE80 >> 6

    /// Whether this is `::`, the IPv6 wildcard address (which includes the host's IPv4 addresses).
    var isIPv6Wildcard: Bool {
        family == AF_INET6 && withUnsafeBytes(of: storage) { $0[8..<24].allSatisfy { $0 == 0 } }
    }

    /// `0.0.0.0`, the IPv4 wildcard address.
    static func ipv4Wildcard(port: UInt16) -> SocketAddress {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        var result = SocketAddress()
        result.length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &result.storage) { target in
            withUnsafeBytes(of: address) { target.copyMemory(from: $0) }
        }
        return result
    }

    static func local(of descriptor: Int32) -> SocketAddress? {
        var address = SocketAddress()
        let failed = address.withMutableSockaddr { getsockname(descriptor, $0, $1) }
        return failed == 0 ? address : nil
    }

    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            body(UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length)
        }
    }

    /// For calls that write an address.
    mutating func withMutableSockaddr<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            body(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        guard left.length == right.length else { return false }
        return withUnsafeBytes(of: left.storage) { first in
            withUnsafeBytes(of: right.storage) { second in
                first.prefix(Int(left.length)).elementsEqual(second.prefix(Int(right.length)))
            }
        }
    }

    /// Resolves a host; may block as long as the resolver does, so never call it on a cooperative thread unless `numeric`.
    static func resolve(host: String, port: UInt16, numeric: Bool = false, passive: Bool = false) -> [SocketAddress] {
        let found = try? AddressLookup.addresses(of: host, port: port, numericOnly: numeric, isPassive: passive)
        return (found ?? []).compactMap { $0.withSockaddr { SocketAddress($0, length: $1) } }
    }
}
