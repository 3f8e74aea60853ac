internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// One TCP connection of the companion.
final class ServerConnection {
    let handle: SocketHandle
    let framing = StreamFraming()
    let origin: SocketAddress.Origin
    let openedAt: MonotonicTime
    /// No authentic frame has been received on it yet.
    var isUnauthenticated = true
    var isClosed = false
    /// Its buffer may hold unread frames.
    var hasUnread = false
    var place = -1

    init(_ handle: SocketHandle, origin: SocketAddress.Origin, openedAt: MonotonicTime) {
        self.handle = handle
        self.origin = origin
        self.openedAt = openedAt
    }
}

/// How a session's ground is reached now.
enum Route {
    case none
    case datagram(SocketAddress)
    case connection(ServerConnection)

    /// Whether it is a connection that accepts no frames now; the thread is woken when it does.
    var isBlocked: Bool {
        switch self {
        case .none, .datagram: false
        case .connection(let connection): connection.framing.isBlocked
        }
    }

    func leads(over connection: ServerConnection) -> Bool {
        if case .connection(let own) = self { own === connection } else { false }
    }
}

/// A session whose ticket is being issued.
struct NewSession: Sendable {
    let id: SessionID
    let key: SecretKey
    let statePeriod: Duration
}

/// One session and the route to its ground.
final class ServedSession {
    let session: VehicleSession
    var route = Route.none

    /// How many stops the handler had begun when its ticket was issued: what a ground knew at the least that has not received a newer
    /// number yet.
    let stopsAtAdmission: UInt64

    init(_ session: VehicleSession, stops: UInt64) {
        self.session = session
        stopsAtAdmission = stops
    }
}
