#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads
internal import UAVLink

/// A bad network in front of a real server: real sockets on the loopback, and what one wants done between them.
///
/// Datagrams are delayed, lost, doubled and reordered, streams delayed in order, held up or cut. Every client has a way of its own
/// to the target. One thread does it all and is woken for each arrival by itself, so that a delay is kept to some microseconds.
public final class ImpairedRelay: Sendable {
    /// What it relays.
    public enum Carrier: Sendable {
        /// Datagrams.
        case udp
        /// Connections.
        case tcp
    }

    struct Orders: Sendable {
        var up = Impairment.none
        var down = Impairment.none
        /// Counts the changes of the two.
        var changes: UInt64 = 0
        var isDark = false
        var holdsUp = false
        var roams = false
        var cuts = false
        var stops = false
    }

    private let orders = Mutex(Orders())
    private let wake: WakePipe
    /// Where clients connect, on 127.0.0.1 (and elsewhere where it was made so).
    public let port: UInt16

    /// Starts relaying to a port of this machine; nothing when the system has no socket or thread for it.
    ///
    /// - Parameters:
    ///   - host: an IPv4 address in digits.
    ///   - everywhere: whether clients of other machines are taken too.
    public init?(
        _ carrier: Carrier, to target: UInt16, host: String = "127.0.0.1", seed: UInt64 = 1, up: Impairment = .none,
        down: Impairment = .none, everywhere: Bool = false
    ) {
        guard let wake = WakePipe(), let back = RelayAddress(host: host, port: target),
            let front = RelaySocket.bound(stream: carrier == .tcp, everywhere: everywhere)
        else { return nil }
        self.wake = wake
        port = RelaySocket.port(of: front)
        orders.withLock { orders in
            orders.up = up
            orders.down = down
        }
        let isStream = carrier == .tcp
        let hasStarted = OwnThread.start { [weak self] in
            let loop = RelayLoop(isStream: isStream, front: front, target: back, seed: seed, wake: wake)
            // Weakly, so that a relay that is let go of ends.
            while self?.orders.withLock({ loop.pass(&$0) }) == true { loop.wait() }
            loop.end()
        }
        guard hasStarted else {
            close(front)
            return nil
        }
    }

    deinit { wake.wake() }

    /// What is done to what goes to the target from now on, and to what comes from it.
    public func impair(up: Impairment, down: Impairment) {
        order { orders in
            orders.up = up
            orders.down = down
            orders.changes += 1
        }
    }

    /// While dark, datagrams are lost and streams held both ways.
    public func setDark(_ isDark: Bool) { order { $0.isDark = isDark } }

    /// While held, nothing is read from clients: their streams back up.
    public func holdUp(_ holds: Bool) { order { $0.holdsUp = holds } }

    /// From now on the target sees the clients at other ports.
    public func roam() { order { $0.roams = true } }

    /// Cuts every connection at both ends.
    public func cut() { order { $0.cuts = true } }

    /// Ends relaying.
    public func stop() { order { $0.stops = true } }

    /// The thread reads and passes on under the lock: once this has returned, nothing that is sent afterwards is treated as before.
    private func order(_ change: (inout Orders) -> Void) {
        orders.withLock { change(&$0) }
        wake.wake()
    }
}
