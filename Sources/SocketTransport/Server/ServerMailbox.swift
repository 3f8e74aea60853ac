internal import Synchronization
internal import UAVLink

/// A session on its way from ``ChannelServer/issueTicket()`` to the thread that owns all sessions.
struct NewSession: Sendable {
    let id: SessionID
    let key: SecretKey
    let statePeriod: Duration
}

/// What other threads leave for the server's thread, and what it leaves for them.
final class ServerMailbox: Sendable {
    /// What is new since the thread last looked.
    struct Mail {
        var sessions: [NewSession] = []
        var telemetry: Telemetry?
        var stops = false
    }

    private struct State {
        var mail = Mail()
        var hasMail = false
        var counters = ChannelCounters()
        var admitted = 0
        var ended = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    let waker: Waker

    init() throws(LinkError) { waker = try Waker() }

    func wake() { waker.wake() }

    func admit(_ session: NewSession, maximum: Int) throws(LinkError) {
        let refusal: LinkError? = state.withLock { state in
            guard !state.ended, !state.mail.stops else { return LinkError(.closed, "the channel's server has stopped") }
            guard state.admitted < maximum else {
                return LinkError(
                    .companionUnavailable, "the companion already has \(maximum) sessions and tickets",
                    hint: "unused tickets end after 60 s")
            }
            state.admitted += 1
            state.mail.sessions.append(session)
            state.hasMail = true
            return nil
        }
        if let refusal { throw refusal }
        waker.wake()
    }

    func publish(_ telemetry: Telemetry) {
        // State frames go with the news. A thread that has been woken and has not looked yet need not be woken again.
        let wakes = state.withLock { state in
            let isFirst = state.mail.telemetry == nil
            state.mail.telemetry = telemetry
            state.hasMail = true
            return isFirst
        }
        if wakes { waker.wake() }
    }

    /// Takes the mail, if there is any.
    func take() -> Mail? {
        state.withLock { state in
            guard state.hasMail else { return nil }
            state.hasMail = false
            defer {
                state.mail.sessions = []
                state.mail.telemetry = nil
            }
            return state.mail
        }
    }

    var counters: ChannelCounters { state.withLock { $0.counters } }

    func report(_ counters: ChannelCounters) { state.withLock { $0.counters = counters } }

    func forget(sessions count: Int) { state.withLock { $0.admitted -= count } }

    func stop() {
        state.withLock { state in
            state.mail.stops = true
            state.hasMail = true
        }
        waker.wake()
    }

    func hasEnded() {
        let waiters = state.withLock { state in
            state.ended = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The thread never waits longer than for its own wake-up, so this is bounded.
    func stopAndWait() async {
        stop()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.ended { state.waiters.append(continuation) }
                return state.ended
            }
            if isOver { continuation.resume() }
        }
    }
}
