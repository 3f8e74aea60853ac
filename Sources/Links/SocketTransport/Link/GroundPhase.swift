internal import ChannelProtocol
internal import UAVLink

/// Where a link is in its life.
///
/// ```
///   idle --connect--> opening --welcome--> open --connect: the session has ended--> opening
///    ^                   |                  |
///    +--- no answer, ----+                  |
///         cancelled      |                  |
///                        +-- close() -------+--> closed
/// ```
enum GroundPhase {
    /// Not connected; with what is left of the last attempt.
    case idle(GroundConnection?)
    case opening(Opening)
    /// The session was opened. It may have ended since, or its link may be lost: then a new one is requested.
    case open(Open)
    /// With what is left of the last connection.
    case closed(GroundConnection?)

    /// A session that is being opened for callers.
    struct Opening {
        var connection: GroundConnection
        /// When the session must be open.
        let deadline: MonotonicTime
        var openers: [CheckedContinuation<LinkError?, Never>]
    }

    struct Open {
        var connection: GroundConnection
        /// No further session is requested before this time: one was requested just now, or must be open by then.
        var nextRenewal: MonotonicTime?
    }

    /// The present connection, or what is left of the last one.
    var connection: GroundConnection? {
        switch self {
        case .idle(let last), .closed(let last): last
        case .opening(let opening): opening.connection
        case .open(let open): open.connection
        }
    }

    /// A connection is opened for a caller of `connect`.
    mutating func open(
        _ connection: GroundConnection, for opener: CheckedContinuation<LinkError?, Never>,
        until deadline: MonotonicTime
    ) {
        var openers = [opener]
        if case .opening(let earlier) = self { openers = earlier.openers + openers }
        self = .opening(Opening(connection: connection, deadline: deadline, openers: openers))
    }

    /// A connection replaces one whose session seems to be lost.
    mutating func renew(_ connection: GroundConnection, until deadline: MonotonicTime) {
        switch self {
        case .idle: self = .idle(connection)
        case .opening(var opening):
            opening.connection = connection
            self = .opening(opening)
        case .open: self = .open(Open(connection: connection, nextRenewal: deadline))
        case .closed: break
        }
    }

    /// The connection that calls can use.
    ///
    /// - Throws: `closed`, `notConnected`.
    func usable() throws(LinkError) -> GroundConnection {
        switch self {
        case .open(let open): return open.connection
        case .idle, .opening: throw LinkError(.notConnected, "the link is not connected", hint: "connect first")
        case .closed: throw LinkError(.closed, "the link was closed", hint: "create a new link")
        }
    }
}

/// A session and the socket that carries it.
struct GroundConnection {
    /// Counted from 1 over the link's life.
    let number: Int
    let session: GroundSession
    let carrier: GroundCarrier
    /// The companion's program version from the ticket; empty when the ticket has none.
    let companionVersion: String

    /// Sends what the session has to send, as long as the socket accepts it.
    func send(now: MonotonicTime) { carrier.send(from: session, now: now) }

    /// Sends goodbye, if the carrier accepts it, so that the companion need not wait for its ground.
    func leave(now: MonotonicTime) {
        session.end()
        send(now: now)
    }
}
