internal import UAVLink

/// One TCP connection of the companion's.
final class ServerConnection {
    let handle: SocketHandle
    let framing = StreamFraming()
    let origin: SocketAddress.Origin
    let openedAt: MonotonicTime
    /// It has shown no authentic frame yet.
    var isStranger = true
    var isClosed = false
    /// Frames may wait in its buffer.
    var hasUnread = false
    var place = -1

    init(_ handle: SocketHandle, origin: SocketAddress.Origin, openedAt: MonotonicTime) {
        self.handle = handle
        self.origin = origin
        self.openedAt = openedAt
    }
}

/// Where a session's ground is now.
enum Route {
    case none
    case datagram(SocketAddress)
    case connection(ServerConnection)

    func leads(over connection: ServerConnection) -> Bool {
        if case .connection(let own) = self { own === connection } else { false }
    }
}

/// A session for which a ticket is being made.
struct NewSession: Sendable {
    let id: SessionID
    let key: SecretKey
    let statePeriod: Duration
}

/// One session and the way to its ground.
final class ServedSession {
    let session: VehicleSession
    var route = Route.none

    init(_ session: VehicleSession) { self.session = session }
}
