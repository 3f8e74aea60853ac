#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

extension SocketHandle {
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
