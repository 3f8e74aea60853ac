internal import Synchronization
internal import Authority
public import ChannelProtocol
public import SocketTransport
internal import UAVLink

/// What becomes of the sessions of the grounds.
extension Companion {
    /// Logs the session.
    public func sessionOpened(_ session: SessionID) { openSessions.opened(session) }

    /// Ends the control authority of a session that is gone; a vehicle that still moves is braked.
    public func sessionClosed(_ session: SessionID) {
        let now = clock.now
        control.withLock { control in
            control.lose(session, at: now)
            control.forget(session)
        }
        openSessions.closed(session, at: now)
    }

    /// Ends the control authority of a session after link loss; the lease has stopped any motion long before.
    public func sessionLinkLost(_ session: SessionID) {
        let now = clock.now
        control.withLock { $0.lose(session, at: now) }
        openSessions.heard(session, false)
        say(.linkLost, "session \(session): link loss, no frames received", of: session)
    }

    /// A session is heard again: its pilot's name is its own again, and it is logged.
    public func sessionLinkRestored(_ session: SessionID) {
        control.withLock { $0.restore(session) }
        openSessions.heard(session, true)
        say(.linkRestored, "session \(session): link restored", of: session)
    }

    /// Logs the notice.
    public func noticed(_ notice: ChannelNotice) { openSessions.noticed(notice) }

    /// Logs an event, rate-limited per session.
    func say(_ event: SteeringLog.Event, _ line: String, of session: SessionID) {
        let now = clock.now
        if control.withLock({ $0.shouldLog(event, line, of: session, at: now) }) { log.say(line) }
    }
}
