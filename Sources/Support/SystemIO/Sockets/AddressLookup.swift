#if canImport(Glibc)
    package import Glibc
#else
    package import Darwin
#endif

/// The system's resolver of host names: `getaddrinfo`, or ``NameService`` in a program that is linked statically.
package enum AddressLookup {
    /// An IPv4 or IPv6 address with a port.
    package struct Address: Hashable, Sendable {
        /// `AF_INET` or `AF_INET6`.
        package let family: Int32
        /// A `sockaddr_in` or `sockaddr_in6`.
        package let bytes: [UInt8]

        /// The address without its port in numbers: `192.168.1.5`, `::1`.
        package var text: String {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = withSockaddr { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
            guard code == 0 else { return "?" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        init?(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
            family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { return nil }
            bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
        }

        package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
            return withUnsafePointer(to: storage) { pointer in
                body(UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
    }

    /// Why a name was not resolved.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The resolver's error, such as `EAI_NONAME`.
        package let code: Int32
        private let reason: String?

        /// - Parameter reason: the reason instead of the system's text.
        init(code: Int32, reason: String? = nil) {
            self.code = code
            self.reason = reason
        }

        /// The reason, or the system's text.
        package var description: String {
            reason ?? gai_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        }
    }

    /// The addresses of a host, in the system's order of preference; at least one.
    ///
    /// Without `numericOnly` it may block for many seconds, cannot be cancelled, and belongs on a dedicated thread.
    ///
    /// - Parameters:
    ///   - family: `AF_INET` for IPv4 only.
    ///   - numericOnly: do not ask a name server.
    ///   - isPassive: for a socket that listens.
    package static func addresses(
        of host: String, port: UInt16 = 0, family: Int32 = AF_UNSPEC, numericOnly: Bool = false,
        isPassive: Bool = false
    ) throws(Failure) -> [Address] {
        let names: NameService? = NameService.isNeeded && !numericOnly ? .system : nil
        return try addresses(of: host, port: port, family: family, numericOnly, isPassive, names: names)
    }

    /// - Parameter names: what to ask for a host that is no address in numbers; `nil` for the C library.
    static func addresses(
        of host: String, port: UInt16, family: Int32, _ numericOnly: Bool, _ isPassive: Bool, names: NameService?
    ) throws(Failure) -> [Address] {
        guard let names else { return try ask(host, port, family, numericOnly: numericOnly, isPassive) }
        // No error here: it is no address in numbers.
        if let found = try? ask(host, port, family, numericOnly: true, isPassive) { return found }
        let found = try names.addresses(of: host, family: family).compactMap { text in
            (try? ask(text, port, family, numericOnly: true, isPassive))?.first
        }
        guard !found.isEmpty else { throw Failure(code: EAI_NONAME) }
        return found
    }

    private static func ask(
        _ host: String, _ port: UInt16, _ family: Int32, numericOnly: Bool, _ isPassive: Bool
    ) throws(Failure) -> [Address] {
        var hints = addrinfo()
        hints.ai_family = family
        hints.ai_flags = AI_NUMERICSERV | (numericOnly ? AI_NUMERICHOST : 0) | (isPassive ? AI_PASSIVE : 0)
        // One entry for each address, not one for each kind of socket.
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else { throw Failure(code: code) }
        defer { freeaddrinfo(first) }
        var addresses: [Address] = []
        var next = first
        while let entry = next?.pointee {
            if let address = entry.ai_addr.flatMap({ Address($0, entry.ai_addrlen) }) { addresses.append(address) }
            next = entry.ai_next
        }
        guard !addresses.isEmpty else { throw Failure(code: EAI_NONAME) }
        return addresses
    }

    /// The addresses of this machine's own network interfaces that are up.
    package static func interfaces() -> [Address] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [Address] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard entry.ifa_flags & UInt32(IFF_UP) != 0, let raw = entry.ifa_addr else { continue }
            let isIPv4 = Int32(raw.pointee.sa_family) == AF_INET
            let size = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            if let address = Address(raw, socklen_t(size)) { found.append(address) }
        }
        return found
    }
}
