#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
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

    /// Network order, at the same place in both families.
    var port: UInt16 {
        withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
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

    /// For calls that fill an address in.
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

    /// Looks a host up; may block for as long as the resolver does, so never on a cooperative thread unless `numeric`.
    static func resolve(host: String, port: UInt16, numeric: Bool = false, passive: Bool = false) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_flags = AI_NUMERICSERV | (numeric ? AI_NUMERICHOST : 0) | (passive ? AI_PASSIVE : 0)
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        #else
            hints.ai_socktype = SOCK_DGRAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = first
        while let entry = next {
            if let address = SocketAddress(entry.pointee.ai_addr, length: entry.pointee.ai_addrlen) {
                found.append(address)
            }
            next = entry.pointee.ai_next
        }
        return found
    }
}
