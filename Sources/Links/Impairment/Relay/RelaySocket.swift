#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An IPv4 address with a port.
struct RelayAddress: Sendable {
    let address: sockaddr_in

    /// Creates an address from a numeric IPv4 address; `nil` if it is invalid.
    init?(host: String, port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
        self.address = address
    }

    init(_ address: sockaddr_in) { self.address = address }

    /// Calls `body` with the address in the form that socket calls take.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// The sockets of a relay.
enum RelaySocket {
    /// Receive buffer, bytes: small, so that a held stream backs up soon.
    private static let buffer: Int32 = 4096

    static func make(stream: Bool) -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(stream ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, stream ? SOCK_STREAM : SOCK_DGRAM, 0)
        #endif
        if descriptor >= 0 { prepare(descriptor, stream: stream) }
        return descriptor
    }

    static func prepare(_ descriptor: Int32, stream: Bool) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        #if !canImport(Glibc)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, 4)
        #endif
        guard stream else { return }
        var size = buffer
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
    }

    /// - Parameter everywhere: binds to all addresses of the machine, not only to the loopback.
    static func bound(stream: Bool, everywhere: Bool = false) -> Int32? {
        let descriptor = make(stream: stream)
        guard descriptor >= 0, let address = RelayAddress(host: everywhere ? "0.0.0.0" : "127.0.0.1", port: 0) else {
            return nil
        }
        let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
        guard isBound, !stream || listen(descriptor, 16) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func connected(to target: RelayAddress, stream: Bool) -> Int32? {
        let descriptor = make(stream: stream)
        guard descriptor >= 0 else { return nil }
        guard target.withPointer({ connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sends what the socket accepts at once; returns the number of bytes, or -1. A closed peer raises no signal.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, address: RelayAddress? = nil) -> Int {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        return bytes.withUnsafeBytes { bytes in
            guard let address else { return systemSend(descriptor, bytes, flags) }
            return address.withPointer { sendto(descriptor, bytes.baseAddress, bytes.count, flags, $0, $1) }
        }
    }

    private static func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #else
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #endif
    }

    /// Whether the last call failed only for the moment.
    static var isBusy: Bool { errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN || errno == EINTR }
}
