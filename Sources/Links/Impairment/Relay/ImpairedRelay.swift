internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// A relay that impairs the traffic to a real server, with real sockets on the loopback interface.
///
/// Datagrams are delayed, lost, duplicated and reordered; streams are delayed in order, held or cut. Every client has its own
/// path to the target. One thread does all of it and wakes for each arrival, so that delays are accurate to some
/// microseconds.
public final class ImpairedRelay: Sendable {
    /// The kind of traffic.
    public enum Carrier: Sendable {
        /// Datagrams.
        case udp
        /// Connections.
        case tcp
    }

    struct Orders: Sendable {
        var up = Impairment.none
        var down = Impairment.none
        /// Number of changes of `up` and `down`.
        var changes: UInt64 = 0
        var isDark = false
        var pausesReading = false
        var roams = false
        var cuts = false
        var stops = false
    }

    private let orders = Mutex(Orders())
    private let waker: Waker
    /// The port that clients connect to, on 127.0.0.1 (with `everywhere` on all addresses).
    public let port: UInt16

    /// Starts relaying to a port of a host; `nil` if the system has no socket or thread for it.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 address.
    ///   - ownPort: the port that clients connect to; 0 for one that the system chooses.
    ///   - everywhere: whether clients on other machines are accepted.
    ///   - client: the numeric IPv4 address from which alone datagrams are taken; `nil` for any.
    ///   - holdsLittle: whether it receives little at once, so that a held stream backs up soon. `false` for one that
    ///     impairs nothing itself, whose buffers must not be what limits a stream.
    public init?(
        _ carrier: Carrier, to target: UInt16, host: String = "127.0.0.1", seed: UInt64 = 1, up: Impairment = .none,
        down: Impairment = .none, at ownPort: UInt16 = 0, everywhere: Bool = false, from client: String? = nil,
        holdsLittle: Bool = true
    ) {
        guard let waker = try? Waker(), let back = RelayAddress(host: host, port: target),
            let front = RelaySocket.bound(
                stream: carrier == .tcp, port: ownPort, everywhere: everywhere, holdsLittle: holdsLittle)
        else { return nil }
        let only = client.flatMap { RelayAddress(host: $0, port: 0) }
        if client != nil, only == nil { return nil }
        self.waker = waker
        port = RelaySocket.port(of: front)
        orders.withLock { orders in
            orders.up = up
            orders.down = down
        }
        let isStream = carrier == .tcp
        let hasStarted = DedicatedThread.start { [weak self] in
            let loop = RelayLoop(
                isStream: isStream, holdsLittle: holdsLittle, front: front, target: back, only: only, seed: seed,
                waker: waker)
            // A weak reference, so that the loop ends when the relay is released.
            while self?.orders.withLock({ loop.pass(&$0) }) == true { loop.wait() }
            loop.end()
        }
        guard hasStarted else { return nil }
    }

    deinit { waker.wake() }

    /// Sets the impairment towards the target and back, from now on.
    public func impair(up: Impairment, down: Impairment) {
        order { orders in
            orders.up = up
            orders.down = down
            orders.changes += 1
        }
    }

    /// While dark, datagrams are lost and streams held, both ways.
    public func setDark(_ isDark: Bool) { order { $0.isDark = isDark } }

    /// While held, nothing is read from clients, so that their streams back up.
    public func pauseReading(_ holds: Bool) { order { $0.pausesReading = holds } }

    /// Makes the target see the clients at other ports from now on.
    public func roam() { order { $0.roams = true } }

    /// Cuts every connection at both ends.
    public func cut() { order { $0.cuts = true } }

    /// Stops relaying.
    public func stop() { order { $0.stops = true } }

    /// The thread reads and forwards under the lock: once this has returned, the change applies to everything sent afterwards.
    private func order(_ change: (inout Orders) -> Void) {
        orders.withLock { change(&$0) }
        waker.wake()
    }
}
