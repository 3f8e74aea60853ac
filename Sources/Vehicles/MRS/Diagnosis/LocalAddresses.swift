#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The addresses of this machine's own network interfaces, as text: `192.168.1.5`, `::1`.
enum LocalAddresses {
    static func all() -> Set<String> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: Set<String> = []
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            if let address = entry.pointee.ifa_addr, let text = text(address) { found.insert(text) }
        }
        return found
    }

    /// The addresses that a host name resolves to; empty if it cannot be resolved. May block on a name server.
    static func of(host: String) -> Set<String> {
        var wanted = addrinfo()
        wanted.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            wanted.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &wanted, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: Set<String> = []
        var next = first
        while let entry = next {
            next = entry.pointee.ai_next
            if let address = entry.pointee.ai_addr, let text = text(address) { found.insert(text) }
        }
        return found
    }

    private static func text(_ address: UnsafePointer<sockaddr>) -> String? {
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(size), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
