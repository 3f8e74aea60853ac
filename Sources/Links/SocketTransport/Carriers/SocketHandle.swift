#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import UAVLink

/// One open file descriptor, closed on deinit.
final class SocketHandle: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }

    /// Creates a non-blocking socket of that family; `nil` when the system refuses.
    static func make(family: Int32, stream: Bool) -> SocketHandle? {
        #if canImport(Glibc)
            let kind = Int32(stream ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue)
        #else
            let kind = stream ? SOCK_STREAM : SOCK_DGRAM
        #endif
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        let handle = SocketHandle(descriptor)
        handle.prepare()
        return handle
    }

    /// Makes the descriptor non-blocking and close-on-exec.
    func prepare() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if !canImport(Glibc)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The value of `SO_ERROR`: why a pending connection failed, or 0.
    var pendingError: Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &size) == 0 ? value : errno
    }

    /// The local port of the socket, or 0.
    var localPort: UInt16 { SocketAddress.local(of: descriptor)?.port ?? 0 }

    /// Marks packets for low delay: DSCP "expedited forwarding" (RFC 3246), which Wi-Fi sends in its voice class.
    func requestLowDelay(family: Int32) {
        let expedited: Int32 = 0xB8
        if family == AF_INET6 { set(Int32(IPPROTO_IPV6), IPV6_TCLASS, expedited) }
        set(Int32(IPPROTO_IP), IP_TOS, expedited)
        #if canImport(Glibc)
            set(SOL_SOCKET, SO_PRIORITY, 6)
        #endif
    }

    /// Disables Nagle and keeps the kernel's buffers small: what cannot leave now must wait where a newer value can replace it.
    func tuneStream() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(SOL_SOCKET, SO_SNDBUF, StreamBuffers.sending)
        set(SOL_SOCKET, SO_RCVBUF, StreamBuffers.receiving)
        #if canImport(Glibc)
            set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, StreamBuffers.unsent)
        #endif
    }

    /// Has the kernel end a connection to a dead peer: when sent data is not acknowledged within `limit`, or when the connection
    /// is idle and keepalive probes are not answered.
    func detectPeerLoss(within limit: Duration) {
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        #if canImport(Glibc)
            let seconds = Int32(clamping: Int(limit.inSeconds))
            // The first probe after half of the limit, then two more.
            set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, max(1, seconds / 2))
            set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, max(1, seconds / 4))
            set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 2)
            set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(clamping: limit.nanoseconds / 1_000_000))
        #endif
    }
}

/// The kernel's buffer sizes for a TCP connection, in bytes.
enum StreamBuffers {
    /// Not yet sent: about twenty setpoints, the most that a socket just short of writable holds back.
    static let unsent: Int32 = 2048
    /// Sent and not acknowledged; the kernel doubles it. Enough for bulk transfers at 1 MB/s with a round trip of 60 ms.
    static let sending: Int32 = 32 * 1024
    /// Received and not read; the kernel doubles it. Bounds what accumulates when the reader stalls.
    static let receiving: Int32 = 32 * 1024
}
