#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The companion's TCP connections: those of sessions, and those of strangers, which have shown no authentic frame yet.
///
/// Strangers have a share of their own, so that they never take a place from a session. A new one beyond it takes the place
/// of the oldest of the origin that has the most, so that no origin shuts out the others.
struct ServerConnections {
    private(set) var all: [ServerConnection] = []
    private var pace = AcceptPace()

    /// A ground shows its hello within a round trip: so many come within 128 ms at ``AcceptPace/most`` a second.
    static let mostStrangers = 64

    /// When the listener is worth looking at.
    var acceptsAt: MonotonicTime { pace.nextAt }

    /// Takes in who waits at the listener.
    ///
    /// - Returns: the system's error number when it has nothing left to take a connection in with.
    mutating func accept(at listener: SocketHandle, now: MonotonicTime) -> Int32? {
        while pace.take(now: now) {
            var peer = SocketAddress()
            let descriptor = peer.withMutableSockaddr { systemAccept(listener.descriptor, $0, $1) }
            if descriptor >= 0 {
                add(SocketHandle(descriptor), origin: peer.origin, now: now)
                continue
            }
            let number = errno
            switch number {
            case EAGAIN, EWOULDBLOCK:
                pace.giveBack()
                return nil
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                if let oldest = all.first(where: \.isStranger) {
                    drop(oldest)
                    continue
                }
                // The listener stays readable: looking at it again at once would go round for ever.
                pace.rest(now: now)
                return number
            default: continue  // Who was there has gone again.
            }
        }
        return nil
    }

    private mutating func add(_ handle: SocketHandle, origin: SocketAddress.Origin, now: MonotonicTime) {
        handle.prepare()
        handle.tuneStream()
        handle.noticeLoss(within: ChannelTimes.connectionLoss)
        makeRoom(for: origin)
        all.append(ServerConnection(handle, origin: origin, openedAt: now))
    }

    private mutating func makeRoom(for origin: SocketAddress.Origin) {
        let strangers = all.filter(\.isStranger)
        guard strangers.count >= Self.mostStrangers else { return }
        var counts = [origin: 1]
        for stranger in strangers { counts[stranger.origin, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        // They stand in the order in which they came.
        if let oldest = strangers.first(where: { counts[$0.origin] == most }) { drop(oldest) }
    }

    private mutating func drop(_ connection: ServerConnection) {
        connection.isClosed = true
        dropClosed()
    }

    /// Closes strangers whose time is up, and gives when the next one's is.
    mutating func closeOldStrangers(now: MonotonicTime) -> MonotonicTime {
        var earliest = MonotonicTime(nanoseconds: .max)
        for connection in all where connection.isStranger {
            let end = connection.openedAt + ChannelTimes.strangerLife
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

/// How often connections are taken in: a flood of them must not take the thread from those who steer.
struct AcceptPace {
    /// As many a second: 1 % of the thread at 20 us each.
    static let most = 500
    /// So many at once: after a pause of a network everybody comes back together.
    static let burst = 64
    /// So long when the system has nothing left: others give something back now and then.
    static let rest: Duration = .milliseconds(100)
    private static let interval = Duration.nanoseconds(1_000_000_000 / Int64(most))

    /// When the next one would come if all had come at their distance.
    private var dueAt = MonotonicTime(nanoseconds: 0)
    private var restsUntil = MonotonicTime(nanoseconds: 0)

    /// When the next one may be taken in.
    var nextAt: MonotonicTime { max(restsUntil, dueAt - Self.interval * (Self.burst - 1)) }

    /// Takes one, if one may be taken now.
    mutating func take(now: MonotonicTime) -> Bool {
        guard now >= nextAt else { return false }
        dueAt = max(dueAt, now) + Self.interval
        return true
    }

    /// Nobody was there to be taken in.
    mutating func giveBack() { dueAt = dueAt - Self.interval }

    mutating func rest(now: MonotonicTime) { restsUntil = now + Self.rest }
}

private func systemAccept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(socket, address, size) }
