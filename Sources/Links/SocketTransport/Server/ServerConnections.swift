internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// The companion's TCP connections: those of sessions, and unauthenticated ones, which have sent no authentic frame yet.
///
/// Unauthenticated connections have a limit of their own, so that they never displace a session. Beyond it a new one replaces
/// the oldest of the origin that has the most, so that no origin can lock out others.
struct ServerConnections {
    private(set) var all: [ServerConnection] = []
    private var pace = AcceptRateLimiter()

    /// A ground sends its hello within a round trip: at ``AcceptRateLimiter/most`` per second, this many arrive within 128 ms.
    static let maximumUnauthenticated = 64

    /// When connections may be accepted again.
    var acceptsAt: MonotonicTime { pace.nextAt }

    /// Accepts the pending connections of the listener.
    ///
    /// - Returns: the system's error number when it has no resources left to accept a connection.
    mutating func accept(at listener: SocketHandle, now: MonotonicTime) -> Int32? {
        while pace.take(now: now) {
            var peer = SocketAddress()
            let acceptance = peer.withMutableSockaddr { listener.acceptNext(address: $0, $1) }
            switch acceptance {
            case .connection(let handle): add(handle, origin: peer.origin, now: now)
            case .nobody:
                pace.giveBack()
                return nil
            case .shortage(let number):
                if let oldest = all.first(where: \.isUnauthenticated) {
                    drop(oldest)
                    continue
                }
                // The listener stays readable: polling it again at once would spin.
                pace.rest(now: now)
                return number
            case .gone, .ended: continue
            }
        }
        return nil
    }

    private mutating func add(_ handle: SocketHandle, origin: SocketAddress.Origin, now: MonotonicTime) {
        handle.tuneStream()
        handle.detectPeerLoss(within: ChannelTimes.connectionLoss)
        evictIfFull(for: origin)
        all.append(ServerConnection(handle, origin: origin, openedAt: now))
    }

    private mutating func evictIfFull(for origin: SocketAddress.Origin) {
        let strangers = all.filter(\.isUnauthenticated)
        guard strangers.count >= Self.maximumUnauthenticated else { return }
        var counts = [origin: 1]
        for stranger in strangers { counts[stranger.origin, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        // They are in order of arrival.
        if let oldest = strangers.first(where: { counts[$0.origin] == most }) { drop(oldest) }
    }

    private mutating func drop(_ connection: ServerConnection) {
        connection.isClosed = true
        dropClosed()
    }

    /// Closes unauthenticated connections whose time is up; returns when the next one's is.
    mutating func closeExpiredUnauthenticated(now: MonotonicTime) -> MonotonicTime {
        var earliest = MonotonicTime(nanoseconds: .max)
        for connection in all where connection.isUnauthenticated {
            let end = connection.openedAt + ChannelTimes.unauthenticatedTimeout
            if end <= now { connection.isClosed = true } else { earliest = min(earliest, end) }
        }
        dropClosed()
        return earliest
    }

    mutating func dropClosed() {
        guard all.contains(where: \.isClosed) else { return }
        all.removeAll(where: \.isClosed)
    }
}

/// Rate limiter for accepting connections: a flood of them must not take the thread's time from steering.
struct AcceptRateLimiter {
    /// Connections per second: 1 % of the thread's time at 20 us each.
    static let most = 500
    /// Connections at once: after a network outage all grounds reconnect together.
    static let burst = 64
    /// The pause when the system has no resources left.
    static let rest = Acceptance.rest
    private static let interval = Duration.nanoseconds(1_000_000_000 / Int64(most))

    /// When the next connection would arrive if all arrived evenly spaced.
    private var dueAt = MonotonicTime(nanoseconds: 0)
    private var resumesAcceptingAt = MonotonicTime(nanoseconds: 0)

    /// When the next connection may be accepted.
    var nextAt: MonotonicTime { max(resumesAcceptingAt, dueAt - Self.interval * (Self.burst - 1)) }

    /// Consumes one permit; false when none is available now.
    mutating func take(now: MonotonicTime) -> Bool {
        guard now >= nextAt else { return false }
        dueAt = max(dueAt, now) + Self.interval
        return true
    }

    /// Returns a permit: no connection was pending.
    mutating func giveBack() { dueAt = dueAt - Self.interval }

    mutating func rest(now: MonotonicTime) { resumesAcceptingAt = now + Self.rest }
}
