#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The companion's sockets: one for datagrams, one that listens.
struct ServerSockets: Sendable {
    let datagrams: SocketHandle
    let listener: SocketHandle
    let udpPort: UInt16
    let tcpPort: UInt16

    /// - Throws: ``LinkError`` that names the port and the system's reason.
    init(bindAddress: String, udpPort: UInt16, tcpPort: UInt16) throws(LinkError) {
        datagrams = try Self.bound(bindAddress, port: udpPort, stream: false)
        listener = try Self.bound(bindAddress, port: tcpPort, stream: true)
        guard listen(listener.descriptor, 16) == 0 else { throw Self.failure(bindAddress, tcpPort, "TCP", errno) }
        self.udpPort = datagrams.localPort
        self.tcpPort = listener.localPort
    }

    private static func bound(_ host: String, port: UInt16, stream: Bool) throws(LinkError) -> SocketHandle {
        let carrier = stream ? "TCP" : "UDP"
        var reason = "it is not an IP address"
        for address in SocketAddress.resolve(host: host, port: port, numeric: true, passive: true) {
            guard let handle = SocketHandle.make(family: address.family, stream: stream) else {
                reason = SystemError.text(errno)
                continue
            }
            if address.family == AF_INET6 { handle.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
            if stream {
                handle.set(SOL_SOCKET, SO_REUSEADDR, 1)
                // Accepted sockets inherit the sizes; the window that is offered depends on them from the start.
                handle.tuneStream()
            } else {
                handle.askForLeastDelay(family: address.family)
                // Room for a burst of fragments while the thread is away for a few milliseconds.
                handle.set(SOL_SOCKET, SO_RCVBUF, 1 << 20)
            }
            if address.withSockaddr({ bind(handle.descriptor, $0, $1) }) == 0 { return handle }
            reason = SystemError.text(errno)
        }
        throw LinkError(
            .unreachable, "cannot listen on \(host) \(carrier) port \(port): \(reason)",
            hint: "is another companion running on it?")
    }

    private static func failure(_ host: String, _ port: UInt16, _ carrier: String, _ number: Int32) -> LinkError {
        LinkError(.unreachable, "cannot listen on \(host) \(carrier) port \(port): \(SystemError.text(number))")
    }
}
