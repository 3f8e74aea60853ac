internal import ChannelProtocol
internal import Synchronization
internal import UAVLink

/// Shared by a ``SocketLink`` and its thread: the session, the socket and the pending calls.
final class GroundCore: Sendable {
    typealias Answer = Result<CommandReply, LinkError>
    /// The encoded answer to a question.
    typealias Information = Result<[UInt8], LinkError>

    /// The duration of a round trip.
    typealias Echo = Result<Duration, LinkError>

    enum Phase {
        case idle
        case opening(deadline: MonotonicTime)
        case open
        case closed
    }

    /// A call that waits for the answer to the heartbeat sent at `sentAt`, or to a later one.
    struct Ping {
        let call: UInt64
        let sentAt: MonotonicTime
        let deadline: MonotonicTime
        let waiter: CheckedContinuation<Echo, Never>
    }

    struct State {
        var phase = Phase.idle
        var session: GroundSession?
        /// The companion's program version from the ticket of ``session``; empty when the ticket has none.
        var companionVersion: String?
        var carrier: GroundCarrier?
        var openers: [CheckedContinuation<LinkError?, Never>] = []
        var waiters: [UInt64: CheckedContinuation<Answer, Never>] = [:]
        /// Calls that wait for the answer to a question.
        var questionWaiters: [UInt64: CheckedContinuation<Information, Never>] = [:]
        /// Calls that wait for a round trip.
        var pings: [Ping] = []
        /// Progress observers of transfers.
        var watchers: [UInt64: MonotonicProgress] = [:]
        /// Pending calls and the ids of their commands, for cancelling.
        var calls: [UInt64: UInt64] = [:]
        var nextCall: UInt64 = 0
        var cancelledCalls: Set<UInt64> = []
        var threadRuns = false
        var closers: [CheckedContinuation<Void, Never>] = []
        var telemetry: Telemetry?
        /// What the companion has said that the vehicle can do, in this session or an earlier one.
        var capabilities: VehicleCapabilities?
        /// Whether the companion watches other nodes' velocity references; `nil` when nothing is traced.
        var tracing: Bool?
        var tracedSessions = 0
        var finishedTraces: [ChannelTrace] = []
        /// Setpoints sent in earlier sessions.
        var setpointsSentBefore: UInt64 = 0
        /// No further session is requested before this time: one was requested just now, or must be open by then.
        var nextRenewal: MonotonicTime?
        /// The latest time at which the thread wakes by itself.
        var wakesAt = MonotonicTime(nanoseconds: .max)
    }

    let state = Mutex(State())
    let waker: Waker
    let executor: LinkExecutor
    let clock: any MonotonicClock
    let host: String
    let broadcast = Broadcast<Telemetry>()
    /// Requests a new ticket because the session seems to be lost.
    let renewSession = Mutex<(@Sendable () -> Void)?>(nil)

    init(host: String, clock: any MonotonicClock) throws(LinkError) {
        waker = try Waker()
        executor = LinkExecutor(waker: waker)
        self.host = host
        self.clock = clock
    }

    // MARK: The thread

    /// Runs until the link is closed.
    func run() {
        var poller = Poller()
        executor.begin()
        while true {
            _ = executor.runAll()
            var outcomes = Outcomes()
            let (deadline, handle, writes) = state.withLock { state in
                prepare(&state, &outcomes)
                let wakeTime = wakeTime(&state)
                state.wakesAt = wakeTime ?? MonotonicTime(nanoseconds: .max)
                return (
                    wakeTime, state.carrier?.handle, state.carrier?.wantsToWrite ?? false
                )
            }
            deliver(outcomes)
            // Tasks resumed on this thread may send something, or set an earlier deadline.
            guard !executor.runAll() else { continue }
            guard let deadline else { break }
            poller.reset()
            let wakerPlace = poller.add(waker.descriptor)
            let place = handle.map { poller.add($0.descriptor, writing: writes) }
            poller.wait(deadline - clock.now)
            if poller.isReady(wakerPlace) { waker.clear() }
            guard let place, poller.isReady(place) else { continue }
            var arrivals = Outcomes()
            state.withLock { receive(&$0, &arrivals) }
            deliver(arrivals)
        }
        let closers = state.withLock { state in
            state.threadRuns = false
            state.carrier = nil
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
        executor.end()
    }

    /// Results to deliver once the lock is released.
    struct Outcomes {
        var openers: [CheckedContinuation<LinkError?, Never>] = []
        var openError: LinkError?
        var answers: [(CheckedContinuation<Answer, Never>, Answer)] = []
        var information: [(CheckedContinuation<Information, Never>, Information)] = []
        var echoes: [(CheckedContinuation<Echo, Never>, Echo)] = []
        var progress: [(MonotonicProgress, Double)] = []
        var telemetry: Telemetry?
        var renews = false
    }

    func deliver(_ outcomes: Outcomes) {
        for (waiter, echo) in outcomes.echoes { waiter.resume(returning: echo) }
        for opener in outcomes.openers { opener.resume(returning: outcomes.openError) }
        for (watcher, fraction) in outcomes.progress { watcher.reach(fraction) }
        for (waiter, answer) in outcomes.answers { waiter.resume(returning: answer) }
        for (asker, information) in outcomes.information { asker.resume(returning: information) }
        if let telemetry = outcomes.telemetry { broadcast.send(telemetry) }
        if outcomes.renews { renewSession.withLock { $0 }?() }
    }

    /// Handles timeouts, keeps the socket alive, sends what is due.
    private func prepare(_ state: inout State, _ outcomes: inout Outcomes) {
        let now = clock.now
        guard let session = state.session, let carrier = state.carrier else { return }
        if case .opening(let deadline) = state.phase {
            if carrier.isRefused {
                finishOpening(&state, &outcomes, refusal(carrier))
            } else if now >= deadline {
                finishOpening(&state, &outcomes, silence(carrier))
            }
        }
        if session.helloIsDue(now: now), carrier.shouldTryNextAddress { carrier.renew(now: now) }
        // The path may have changed under the socket (another network, another address): a new socket finds it.
        if session.isSilent(now: now), now - carrier.openedAt > patience(session, carrier), carrier.handle != nil {
            carrier.renew(now: now)
        }
        for (id, error) in session.expired(now: now) { answer(id, .failure(error), &state, &outcomes) }
        endPings(&state, &outcomes) { ping in
            ping.deadline > now
                ? nil : LinkError(.timedOut, "the companion did not answer in time", hint: "see 'uavlink status'")
        }
        if case .open = state.phase, session.isSilent(now: now) {
            if now - session.lastHeard > ChannelTimes.renewal, (state.nextRenewal ?? now) <= now {
                state.nextRenewal = now + ChannelTimes.renewal
                outcomes.renews = true
            }
        } else if session.phase == .open {
            state.nextRenewal = nil
        }
        if carrier.open(now: now) { session.carrierWasRenewed(now: now) }
        carrier.send(from: session, now: now)
    }

    /// How long to wait for an answer on the present socket: never shorter than a round trip.
    private func patience(_ session: GroundSession, _ carrier: GroundCarrier) -> Duration {
        guard session.phase == .open else { return carrier.patience }
        let roundTrip = session.timing.newest.map { Duration.nanoseconds($0.roundTrip) } ?? .zero
        return ChannelTimes.silence + min(roundTrip, ChannelTimes.longestOpeningTimeout)
    }

    /// When to wake; `nil` when the thread must end.
    private func wakeTime(_ state: inout State) -> MonotonicTime? {
        if case .closed = state.phase { return nil }
        guard let session = state.session, let carrier = state.carrier else { return MonotonicTime(nanoseconds: .max) }
        let now = clock.now
        // What the socket does not accept now is sent when it is writable; until then only the other timers count.
        var earliest = carrier.wantsToWrite ? now + ChannelTimes.heartbeat : session.nextDeadline(now: now)
        if carrier.handle == nil { earliest = max(earliest, carrier.nextDeadline) }
        earliest = min(earliest, carrier.nextDeadline, now + ChannelTimes.reconnect)
        if case .opening(let deadline) = state.phase { earliest = min(earliest, deadline) }
        // So that a command need not wake this thread to be resent in time; state frames arrive as often.
        if case .open = state.phase { earliest = min(earliest, now + ChannelTimes.resendShortest) }
        return earliest
    }

    private func receive(_ state: inout State, _ outcomes: inout Outcomes) {
        guard let session = state.session, let carrier = state.carrier else { return }
        let now = clock.now
        if carrier.finishConnecting(now: now) { session.carrierWasRenewed(now: now) }
        var events: [(event: GroundEvent, at: MonotonicTime)] = []
        carrier.receive(now: now) { frame in
            // Each frame's own time, taken after it was read: an earlier time may precede its sending, and the clock offset
            // would seem better known than it is.
            let arrivedAt = clock.now
            let event = session.receive(frame, now: arrivedAt)
            if case .nothing = event { return }
            events.append((event, arrivedAt))
        }
        for (event, arrivedAt) in events {
            switch event {
            case .nothing: break
            case .opened: finishOpening(&state, &outcomes, nil)
            case .refused(let error): finishOpening(&state, &outcomes, error)
            case .telemetry:
                state.telemetry = session.telemetry
                outcomes.telemetry = session.telemetry
                if let said = session.received.capabilities { state.capabilities = said }
            case .answered(let id, let result): answer(id, result, &state, &outcomes)
            case .informed(let id, let payload): inform(id, .success(payload), &state, &outcomes)
            case .progressed(let id, let fraction):
                if let watcher = state.watchers[id] { outcomes.progress.append((watcher, fraction)) }
            case .echoed(let sent): echoed(sent, now: arrivedAt, &state, &outcomes)
            case .ended:
                let error = LinkError(
                    .notConnected, "the companion has ended the session", hint: "connect again when it runs")
                // The phase stays open: once the companion runs again, it is asked for a new ticket.
                failAll(&state, &outcomes, error)
            }
        }
        // Send the first heartbeat before callers learn that the link is open: setpoints need it.
        if !events.isEmpty { carrier.send(from: session, now: clock.now) }
    }

    // MARK: Outcomes

    private func answer(_ id: UInt64, _ result: Answer, _ state: inout State, _ outcomes: inout Outcomes) {
        state.watchers[id] = nil
        if let waiter = state.waiters.removeValue(forKey: id) {
            outcomes.answers.append((waiter, result))
        } else if case .failure(let error) = result {
            // A question that timed out ends as a command does.
            inform(id, .failure(error), &state, &outcomes)
        }
    }

    private func inform(_ id: UInt64, _ result: Information, _ state: inout State, _ outcomes: inout Outcomes) {
        state.watchers[id] = nil
        guard let asker = state.questionWaiters.removeValue(forKey: id) else { return }
        outcomes.information.append((asker, result))
    }

    private func echoed(_ sent: MonotonicTime, now: MonotonicTime, _ state: inout State, _ outcomes: inout Outcomes) {
        state.pings.removeAll { ping in
            guard ping.sentAt <= sent else { return false }
            outcomes.echoes.append((ping.waiter, .success(now - ping.sentAt)))
            return true
        }
        state.session?.waitsForEcho = !state.pings.isEmpty
    }

    /// Ends the pings for which `reason` returns an error.
    func endPings(_ state: inout State, _ outcomes: inout Outcomes, _ reason: (Ping) -> LinkError?) {
        guard !state.pings.isEmpty else { return }
        state.pings.removeAll { ping in
            guard let error = reason(ping) else { return false }
            outcomes.echoes.append((ping.waiter, .failure(error)))
            return true
        }
        state.session?.waitsForEcho = !state.pings.isEmpty
    }

    private func failAll(_ state: inout State, _ outcomes: inout Outcomes, _ error: LinkError) {
        for waiter in state.waiters.values { outcomes.answers.append((waiter, .failure(error))) }
        for asker in state.questionWaiters.values { outcomes.information.append((asker, .failure(error))) }
        endPings(&state, &outcomes) { _ in error }
        state.waiters = [:]
        state.questionWaiters = [:]
        state.watchers = [:]
        outcomes.openers += state.openers
        outcomes.openError = error
        state.openers = []
    }

    private func finishOpening(_ state: inout State, _ outcomes: inout Outcomes, _ error: LinkError?) {
        guard case .opening = state.phase else { return }
        outcomes.openers = state.openers
        outcomes.openError = error
        state.openers = []
        state.phase = error == nil ? .open : .idle
        if error != nil { state.session?.end() }
    }

    private func refusal(_ carrier: GroundCarrier) -> LinkError {
        LinkError(
            .unreachable, "\(host) refuses the channel (\(SystemError.text(carrier.lastError)))",
            hint: "is the companion running, and its \(carrier.isStream ? "TCP" : "UDP") port open in the firewall?")
    }

    private func silence(_ carrier: GroundCarrier) -> LinkError {
        LinkError(
            .unreachable, "no answer from the companion at \(host) over \(carrier.isStream ? "TCP" : "UDP")",
            hint: "is its port open in the firewall? try the other carrier")
    }

    // MARK: Closing

    /// Closes the link; the thread, if it runs, ends by itself.
    func close() {
        var outcomes = Outcomes()
        state.withLock { state in
            if case .closed = state.phase { return }
            leave(&state, now: clock.now)
            failAll(&state, &outcomes, LinkError(.closed, "the link was closed"))
            state.phase = .closed
        }
        renewSession.withLock { $0 = nil }
        waker.wake()
        deliver(outcomes)
        broadcast.finish()
    }

    func waitForThread() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.threadRuns { state.closers.append(continuation) }
                return !state.threadRuns
            }
            if isOver { continuation.resume() }
        }
    }
}
