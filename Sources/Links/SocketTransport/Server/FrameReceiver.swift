#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// Reads the frames that reach a server: datagrams and connections in turns.
final class FrameReceiver {
    /// Where a frame came from.
    enum Source {
        /// With the nanoseconds for which the kernel had it, if it says so.
        case datagram(SocketAddress, waited: Int64?)
        case connection(ServerConnection)
    }

    /// What follows a frame.
    enum Next {
        case more
        /// Its answer was sent: whether there are more datagrams is left to the next poll, since one that is answered mostly comes
        /// alone.
        case poll
        /// Ends the reading.
        case order(ServerOrder)
    }

    /// Processes a frame.
    typealias Take = (UnsafeMutableRawBufferPointer, Source) -> Next

    /// Where the descriptors are in the poller.
    private struct Places {
        let waker: Int
        let datagrams: Int
        /// `nil` while no connections are accepted.
        let listener: Int?
    }

    /// The result of ``list(in:now:)``.
    struct Listing {
        /// Unread frames are buffered, which no descriptor reports.
        var hasUnread = false
        /// When connections may be accepted again; `nil` while they are.
        var acceptsAt: MonotonicTime?
    }

    private let sockets: ServerSockets
    private let waker: Waker
    private var connections = ServerConnections()
    private let incoming = FrameBuffer(size: ChannelLimits.frame + 1)
    private var connectionsGoFirst = false
    /// Whether the kernel stamps datagrams, and whether it was asked to and does not.
    private var hasStamps = false
    private var hasNoStamps = false
    /// `nil` before the first poll.
    private var places: Places?
    /// Connections closed because their bytes were no frames.
    private(set) var malformed: UInt64 = 0

    /// Datagrams read before frames are sent again, so that a flood delays nothing by more than a millisecond.
    private static let batch = 64

    init(sockets: ServerSockets, waker: Waker) {
        self.sockets = sockets
        self.waker = waker
    }

    /// Has the kernel stamp datagrams when it receives them, from now on: a trace asks for it.
    func stampReceipts() {
        guard !hasStamps, !hasNoStamps else { return }
        hasStamps = sockets.datagrams.stampReceipts()
        hasNoStamps = !hasStamps
    }

    /// Closes connections whose time to authenticate is up; returns when the next one's is.
    func closeExpiredUnauthenticated(now: MonotonicTime) -> MonotonicTime {
        connections.closeExpiredUnauthenticated(now: now)
    }

    /// Fills the poller with everything that can have frames.
    func list(in poller: inout Poller, now: MonotonicTime) -> Listing {
        var listing = Listing()
        poller.reset()
        let wakerPlace = poller.add(waker.descriptor)
        let datagramsPlace = poller.add(sockets.datagrams.descriptor)
        if connections.acceptsAt > now { listing.acceptsAt = connections.acceptsAt }
        let listenerPlace = listing.acceptsAt == nil ? poller.add(sockets.listener.descriptor) : nil
        places = Places(waker: wakerPlace, datagrams: datagramsPlace, listener: listenerPlace)
        for connection in connections.all {
            connection.place = poller.add(connection.handle.descriptor, writing: connection.framing.isBlocked)
            if connection.hasUnread { listing.hasUnread = true }
        }
        return listing
    }

    /// Takes note of wake-ups and accepts the connections that are pending.
    ///
    /// - Returns: the system's error number when it has no resources left to accept a connection.
    func accept(_ poller: Poller, now: MonotonicTime) -> Int32? {
        guard let places else { return nil }
        if poller.isReady(places.waker) { waker.clear() }
        guard let listener = places.listener, poller.isReady(listener) else { return nil }
        return connections.accept(at: sockets.listener, now: now)
    }

    /// Reads what has arrived, up to the first order.
    func read(_ poller: Poller, _ take: Take) -> ServerOrder? {
        // Alternate the order, so that commands on one carrier do not starve the other.
        connectionsGoFirst.toggle()
        if connectionsGoFirst, let order = readConnections(poller, take) { return order }
        if let places, poller.isReady(places.datagrams), let order = readDatagrams(take) { return order }
        return connectionsGoFirst ? nil : readConnections(poller, take)
    }

    private func readDatagrams(_ take: Take) -> ServerOrder? {
        for _ in 0..<Self.batch {
            var from = SocketAddress()
            let (count, waited) = from.withMutableSockaddr { address, length -> (Int, Int64?) in
                if hasStamps { return sockets.datagrams.receiveStamped(into: incoming.bytes, from: address, length) }
                let count = recvfrom(
                    sockets.datagrams.descriptor, incoming.bytes.baseAddress, incoming.bytes.count, 0, address, length)
                return (count, nil)
            }
            guard count >= 0 else { return nil }
            let frame = UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[..<count])
            switch take(frame, .datagram(from, waited: waited)) {
            case .more: break
            case .poll: return nil
            case .order(let order): return order
            }
        }
        return nil
    }

    private func readConnections(_ poller: Poller, _ take: Take) -> ServerOrder? {
        defer { connections.dropClosed() }
        for connection in connections.all {
            guard connection.hasUnread || poller.isReady(connection.place) else { continue }
            if let order = read(connection, take) { return order }
        }
        return nil
    }

    private func read(_ connection: ServerConnection, _ take: Take) -> ServerOrder? {
        connection.hasUnread = false
        do throws(StreamFraming.Failure) {
            try connection.framing.flush(to: connection.handle.descriptor)
            for _ in 0..<Self.batch {
                while let frame = try connection.framing.nextFrame() {
                    guard case .order(let order) = take(frame, .connection(connection)) else { continue }
                    // Frames behind it may already be buffered: no descriptor reports them.
                    connection.hasUnread = true
                    return order
                }
                guard try connection.framing.fill(from: connection.handle.descriptor) else { return nil }
            }
            connection.hasUnread = true
        } catch {
            if case .malformed = error { malformed += 1 }
            connection.isClosed = true
        }
        return nil
    }
}
