internal import UAVLink

/// One TCP connection of the companion's.
final class ServerConnection {
    let handle: SocketHandle
    let framing = StreamFraming()
    let openedAt: MonotonicTime
    /// The session that last showed an authentic frame on it.
    var session: SessionID?
    var isClosed = false
    /// Frames may wait in its buffer.
    var hasUnread = false
    var place = -1

    init(_ handle: SocketHandle, openedAt: MonotonicTime) {
        self.handle = handle
        self.openedAt = openedAt
    }
}

/// Where a session's ground is now.
enum Route {
    case none
    case datagram(SocketAddress)
    case connection(ServerConnection)
}

/// One session and the way to its ground.
final class ServedSession {
    let session: VehicleSession
    var route = Route.none

    init(_ session: VehicleSession) { self.session = session }
}
