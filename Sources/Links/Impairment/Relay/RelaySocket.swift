#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

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

    private static func make(stream: Bool, holdsLittle: Bool) -> SocketHandle? {
        guard let socket = SocketHandle.make(family: AF_INET, stream: stream) else { return nil }
        if stream { prepareStream(socket, holdsLittle: holdsLittle) }
        return socket
    }

    static func prepareStream(_ socket: SocketHandle, holdsLittle: Bool) {
        if holdsLittle { socket.set(SOL_SOCKET, SO_RCVBUF, buffer) }
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    /// - Parameters:
    ///   - port: 0 for one that the system chooses.
    ///   - everywhere: binds to all addresses of the machine, not only to the loopback.
    static func bound(
        stream: Bool, port: UInt16 = 0, everywhere: Bool = false, holdsLittle: Bool = true
    ) -> SocketHandle? {
        guard let socket = make(stream: stream, holdsLittle: holdsLittle),
            let address = RelayAddress(host: everywhere ? "0.0.0.0" : "127.0.0.1", port: port),
            address.withPointer({ bind(socket.descriptor, $0, $1) }) == 0
        else { return nil }
        return !stream || listen(socket.descriptor, 16) == 0 ? socket : nil
    }

    static func connected(to target: RelayAddress, stream: Bool, holdsLittle: Bool = true) -> SocketHandle? {
        guard let socket = make(stream: stream, holdsLittle: holdsLittle) else { return nil }
        let code = target.withPointer { connect(socket.descriptor, $0, $1) == 0 ? 0 : errno }
        return code == 0 || code == EINPROGRESS ? socket : nil
    }

    static func port(of socket: SocketHandle) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket.descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sends what the socket accepts at once; returns the number of bytes, or -1. A closed peer raises no signal.
    static func send(_ bytes: ArraySlice<UInt8>, to socket: SocketHandle, address: RelayAddress? = nil) -> Int {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        return bytes.withUnsafeBytes { bytes in
            guard let address else { return systemSend(socket.descriptor, bytes, flags) }
            return address.withPointer { sendto(socket.descriptor, bytes.baseAddress, bytes.count, flags, $0, $1) }
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
