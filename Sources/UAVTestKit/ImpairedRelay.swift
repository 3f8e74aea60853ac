#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import UAVLink

/// A bad network on the loopback: real sockets, one client, a target behind it, and what the test wants done between them.
///
/// Datagrams are delayed, lost, doubled and reordered; a stream is delayed in order, held up or cut.
public final class ImpairedRelay: Sendable {
    /// What it relays.
    public enum Carrier: Sendable {
        /// Datagrams.
        case udp
        /// One connection at a time.
        case tcp
    }

    struct Orders: Sendable {
        var up = Impairment.none
        var down = Impairment.none
        var isDark = false
        var holdsUp = false
        var roams = false
        var cuts = false
        var stops = false
    }

    private let orders = RelayOrders()
    /// Where clients connect, on 127.0.0.1.
    public let port: UInt16

    /// Starts relaying to a port of 127.0.0.1; nothing when the system has no socket or thread for it.
    public init?(_ carrier: Carrier, to target: UInt16, seed: UInt64 = 1) {
        guard let front = RelaySocket.bound(stream: carrier == .tcp) else { return nil }
        port = RelaySocket.port(of: front)
        let orders = orders
        let loop = RelayLoop(isStream: carrier == .tcp, front: front, target: target, seed: seed, orders: orders)
        let box = RelayThread(loop)
        guard box.start() else {
            close(front)
            return nil
        }
    }

    deinit { stop() }

    /// What is done to what goes to the target from now on, and to what comes from it.
    public func impair(up: Impairment, down: Impairment) {
        orders.current.withLock { orders in
            orders.up = up
            orders.down = down
        }
    }

    /// While dark, datagrams are lost and streams held both ways.
    public func setDark(_ isDark: Bool) { orders.current.withLock { $0.isDark = isDark } }

    /// While held, nothing is read from the client: its stream backs up.
    public func holdUp(_ holds: Bool) { orders.current.withLock { $0.holdsUp = holds } }

    /// From now on the target sees the client at another port.
    public func roam() { orders.current.withLock { $0.roams = true } }

    /// Cuts the connection at both ends.
    public func cut() { orders.current.withLock { $0.cuts = true } }

    /// Ends relaying.
    public func stop() { orders.current.withLock { $0.stops = true } }
}

/// What a relay is told, shared with its thread.
///
/// The thread reads and passes on under the lock: once a call like ``ImpairedRelay/setDark(_:)`` has returned, nothing
/// that is sent afterwards is treated as before.
final class RelayOrders: Sendable {
    let current = Mutex(ImpairedRelay.Orders())
}

/// The sockets of a relay.
enum RelaySocket {
    /// Small, so that a held stream backs up soon.
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
        guard stream else { return }
        var size = buffer
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
    }

    static func bound(stream: Bool) -> Int32? {
        let descriptor = make(stream: stream)
        guard descriptor >= 0 else { return nil }
        var address = loopback(0)
        let failed = withUnsafePointer(to: &address) { pointer in
            bind(
                descriptor, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard failed == 0, !stream || listen(descriptor, 4) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func connected(to port: UInt16, stream: Bool) -> Int32 {
        let descriptor = make(stream: stream)
        guard descriptor >= 0 else { return -1 }
        var address = loopback(port)
        let failed = withUnsafePointer(to: &address) { pointer in
            connect(
                descriptor, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard failed == 0 || errno == EINPROGRESS else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = getsockname(
                descriptor, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
