#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// The companion's sockets: one for datagrams, one listener.
struct ServerSockets: Sendable {
    let datagrams: SocketHandle
    let listener: SocketHandle
    let udpPort: UInt16
    let tcpPort: UInt16

    /// Connections that may be pending: a quarter of a second at ``AcceptRateLimiter/most``.
    private static let backlog: Int32 = 128

    /// Creates a socket of a family, stream or datagram; `nil`, with the reason in `errno`, when the system has none.
    typealias Make = (_ family: Int32, _ stream: Bool) -> SocketHandle?

    /// - Throws: ``LinkError`` with the port and the system's reason.
    init(
        bindAddress: String, udpPort: UInt16, tcpPort: UInt16, make: Make = SocketHandle.make
    ) throws(LinkError) {
        datagrams = try Self.bound(bindAddress, port: udpPort, stream: false, make)
        listener = try Self.bound(bindAddress, port: tcpPort, stream: true, make)
        guard listen(listener.descriptor, Self.backlog) == 0 else {
            throw Self.failure(bindAddress, tcpPort, "TCP", errno)
        }
        self.udpPort = datagrams.localPort
        self.tcpPort = listener.localPort
    }

    private static func bound(
        _ host: String, port: UInt16, stream: Bool, _ make: Make
    ) throws(LinkError) -> SocketHandle {
        let carrier = stream ? "TCP" : "UDP"
        let addresses = SocketAddress.resolve(host: host, port: port, numeric: true, passive: true)
        guard var address = addresses.first else {
            throw LinkError(
                .invalidInput, "cannot listen on \(host) \(carrier) port \(port): it is not an IP address",
                hint: "use an address of this machine, or :: for all of them")
        }
        while true {
            if let handle = make(address.family, stream) {
                prepare(handle, family: address.family, stream: stream)
                if address.withSockaddr({ bind(handle.descriptor, $0, $1) }) == 0 { return handle }
            }
            let number = errno
            guard address.isIPv6Wildcard, [EAFNOSUPPORT, EPROTONOSUPPORT, EADDRNOTAVAIL].contains(number) else {
                throw failure(host, port, carrier, number)
            }
            // A system without IPv6: fall back to the IPv4 wildcard address.
            address = .ipv4Wildcard(port: port)
        }
    }

    private static func prepare(_ handle: SocketHandle, family: Int32, stream: Bool) {
        if family == AF_INET6 { handle.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        if stream {
            handle.set(SOL_SOCKET, SO_REUSEADDR, 1)
            // Accepted sockets inherit the sizes, and the window offered depends on them from the start.
            handle.tuneStream()
        } else {
            handle.requestLowDelay(family: family)
            // Enough for a burst of fragments while the thread is not scheduled for a few milliseconds.
            handle.set(SOL_SOCKET, SO_RCVBUF, 1 << 20)
        }
    }

    private static func failure(_ host: String, _ port: UInt16, _ carrier: String, _ number: Int32) -> LinkError {
        let hint =
            switch number {
            case EADDRINUSE: "is another companion running on it?"
            case EADDRNOTAVAIL: "\(host) is not an address of this machine"
            default: ""
            }
        return LinkError(
            .unreachable, "cannot listen on \(host) \(carrier) port \(port): \(SystemError.text(number))", hint: hint)
    }
}
