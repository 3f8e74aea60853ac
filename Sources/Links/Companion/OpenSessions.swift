internal import ChannelProtocol
internal import SocketTransport
internal import Synchronization
internal import UAVLink

/// The open sessions of a companion, and what its channel reports about sessions and tickets.
final class OpenSessions: Sendable {
    private enum State: Sendable {
        case idle(since: MonotonicTime)
        /// Never empty.
        case used(by: Set<SessionID>)
    }

    private let state: Mutex<State>
    /// Those from which nothing is heard; they may come back.
    private let lost = Mutex<Set<SessionID>>([])
    private let shortage = Mutex(EventRateLimiter())
    private let clock: any MonotonicClock
    private let log: CompanionLog

    init(clock: any MonotonicClock, log: CompanionLog) {
        self.clock = clock
        self.log = log
        state = Mutex(.idle(since: clock.now))
    }

    /// How long no session has been open; `nil` while one is.
    var idleTime: Duration? {
        state.withLock { state in
            switch state {
            case .idle(let since): clock.now - since
            case .used: nil
            }
        }
    }

    /// Whether a ground is heard, which could command the vehicle.
    var hasHeardOne: Bool {
        state.withLock { state in
            switch state {
            case .idle: false
            case .used(let sessions): lost.withLock { !sessions.isSubset(of: $0) }
            }
        }
    }

    /// Nothing is heard of a session, or something is again.
    func heard(_ session: SessionID, _ isHeard: Bool) {
        lost.withLock { lost in
            if isHeard { lost.remove(session) } else { lost.insert(session) }
        }
    }

    func opened(_ session: SessionID) {
        state.withLock { state in
            switch state {
            case .idle: state = .used(by: [session])
            case .used(let others): state = .used(by: others.union([session]))
            }
        }
        log.say("session \(session) opened")
    }

    func closed(_ session: SessionID, at now: MonotonicTime) {
        heard(session, true)
        state.withLock { state in
            switch state {
            case .idle: state = .idle(since: now)
            case .used(let sessions):
                let others = sessions.subtracting([session])
                state = others.isEmpty ? .idle(since: now) : .used(by: others)
            }
        }
        log.say("session \(session) closed")
    }

    /// Logs a notice.
    func noticed(_ notice: ChannelNotice) {
        switch notice {
        case .evicted(let session, let wasOpen, let time):
            let what = wasOpen ? "session \(session), without frames" : "the ticket of session \(session), unused"
            log.say("\(what) for \(Int(time.inSeconds)) s, was replaced by a new ticket")
        case .acceptPaused(let reason):
            let shouldLog = shortage.withLock { $0.note(at: clock.now) }
            if shouldLog { log.say("TCP connections are waiting: \(reason); raise 'ulimit -n'") }
        }
    }
}
