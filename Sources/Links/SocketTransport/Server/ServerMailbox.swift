internal import ChannelProtocol
internal import Synchronization
internal import SystemIO
internal import UAVLink

/// Exchanges data between the server's thread and other threads.
final class ServerMailbox: Sendable {
    /// What is new since the thread last took it.
    struct Mail {
        var telemetry: Telemetry?
        var stops = false
    }

    private struct State {
        var mail = Mail()
        var hasMail = false
        var counters = ChannelCounters()
        var ended = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    let waker: Waker

    init() throws(LinkError) { waker = try .make() }

    func wake() { waker.wake() }

    func publish(_ telemetry: Telemetry) {
        // State frames are sent when telemetry arrives. A thread that was woken and has not run yet need not be woken again.
        let wakes = state.withLock { state in
            let isFirst = state.mail.telemetry == nil
            state.mail.telemetry = telemetry
            state.hasMail = true
            return isFirst
        }
        if wakes { waker.wake() }
    }

    /// Returns new mail, if any, and clears it.
    func take() -> Mail? {
        state.withLock { state in
            guard state.hasMail else { return nil }
            state.hasMail = false
            defer { state.mail.telemetry = nil }
            return state.mail
        }
    }

    var counters: ChannelCounters { state.withLock { $0.counters } }

    func report(_ counters: ChannelCounters) { state.withLock { $0.counters = counters } }

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

    /// Bounded: the thread always returns from its wait when woken.
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
