internal import ChannelProtocol
internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// Shared by a ``SocketLink`` and its thread: the session, the socket and the pending calls.
final class GroundCore: Sendable {
    typealias Answer = PendingCalls.Answer
    typealias Information = PendingCalls.Information
    typealias Echo = PendingCalls.Echo

    enum LinkThread {
        case stopped
        /// With those who wait until it has stopped.
        case running(closers: [CheckedContinuation<Void, Never>])
    }

    struct State {
        var phase = GroundPhase.idle(nil)
        var calls = PendingCalls()
        var thread = LinkThread.stopped
        var telemetry: Telemetry?
        /// What the companion has said that the vehicle can do, in this session or an earlier one.
        var capabilities: VehicleCapabilities?
        /// Whether the companion watches other nodes' velocity references; `nil` when nothing is traced.
        var tracing: Bool?
        /// Whether both ends' kernels are to stamp the datagrams that a trace has, and the companion's own subscriber setpoints.
        var (stampsReceipts, watchesOwn) = (false, false)
        /// How many connections there have been.
        var connections = 0
        var finishedTraces: [ChannelTrace] = []
        /// Setpoints sent in earlier sessions.
        var setpointsSentBefore: UInt64 = 0
        /// The latest time at which the thread wakes by itself.
        var wakesAt = MonotonicTime(nanoseconds: .max)
    }

    let state = Mutex(State())
    let waker: Waker
    let executor: ThreadExecutor
    let clock: any MonotonicClock
    let host: String
    let broadcast = Broadcast<Telemetry>()
    /// Requests a new ticket because the session seems to be lost.
    let renewSession = Mutex<(@Sendable () -> Void)?>(nil)

    init(host: String, clock: any MonotonicClock) throws(LinkError) {
        let waker = try Waker.make()
        (self.waker, executor) = (waker, ThreadExecutor { waker.wake() })
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
            var outcomes = GroundOutcomes()
            let (deadline, handle, writes) = state.withLock { state in
                prepare(&state, &outcomes)
                let wakeTime = wakeTime(state)
                state.wakesAt = wakeTime ?? MonotonicTime(nanoseconds: .max)
                let carrier = state.phase.connection?.carrier
                return (wakeTime, carrier?.handle, carrier?.wantsToWrite ?? false)
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
            var arrivals = GroundOutcomes()
            state.withLock { receive(&$0, &arrivals) }
            deliver(arrivals)
        }
        for closer in state.withLock({ threadHasStopped(&$0) }) { closer.resume() }
        executor.end()
    }

    private func threadHasStopped(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        state.phase.connection?.carrier.close()
        switch state.thread {
        case .stopped: return []
        case .running(let closers):
            state.thread = .stopped
            return closers
        }
    }

    /// Delivers results, with the lock released.
    func deliver(_ outcomes: GroundOutcomes) {
        outcomes.deliver()
        if let telemetry = outcomes.telemetry { broadcast.send(telemetry) }
        if outcomes.renews { renewSession.withLock { $0 }?() }
    }

    /// Handles timeouts, keeps the socket alive, sends what is due.
    private func prepare(_ state: inout State, _ outcomes: inout GroundOutcomes) {
        let now = clock.now
        guard let connection = state.phase.connection else { return }
        let (session, carrier) = (connection.session, connection.carrier)
        endLateOpening(&state, &outcomes, now: now)
        if session.helloIsDue(now: now), carrier.shouldTryNextAddress { carrier.renew(now: now) }
        // The path may have changed under the socket (another network, another address): a new socket finds it.
        if session.isLost(now: now), now - carrier.openedAt > answerTimeout(session, carrier), carrier.handle != nil {
            carrier.renew(now: now)
        }
        for (id, error) in session.expired(now: now) { state.calls.answer(id, .failure(error), &outcomes) }
        state.calls.endExpiredPings(now: now, &outcomes)
        session.awaitEcho(state.calls.awaitsEcho)
        outcomes.renews = mustRenew(&state, now: now)
        if carrier.open(now: now) { session.carrierWasRenewed(now: now) }
        connection.send(now: now)
    }

    private func endLateOpening(_ state: inout State, _ outcomes: inout GroundOutcomes, now: MonotonicTime) {
        switch state.phase {
        case .opening(let opening):
            let carrier = opening.connection.carrier
            if carrier.isRefused {
                finishOpening(&state, &outcomes, refusal(carrier))
            } else if now >= opening.deadline {
                finishOpening(&state, &outcomes, noAnswer(carrier))
            }
        case .idle, .open, .closed: break
        }
    }

    /// Whether to request a new session: the present one has not been heard for long.
    private func mustRenew(_ state: inout State, now: MonotonicTime) -> Bool {
        switch state.phase {
        case .open(var open):
            let session = open.connection.session
            guard session.isLost(now: now) else {
                // Kept when the session has ended: a new one may have been requested already.
                if session.phase == .open, open.nextRenewal != nil {
                    open.nextRenewal = nil
                    state.phase = .open(open)
                }
                return false
            }
            guard now - session.lastHeard > ChannelTimes.renewal, (open.nextRenewal ?? now) <= now else {
                return false
            }
            open.nextRenewal = now + ChannelTimes.renewal
            state.phase = .open(open)
            return true
        case .idle, .opening, .closed: return false
        }
    }

    /// How long to wait for an answer on the present socket: never shorter than a round trip.
    private func answerTimeout(_ session: GroundSession, _ carrier: GroundCarrier) -> Duration {
        guard session.phase == .open else { return carrier.answerTimeout }
        let roundTrip = session.timing.newest.map { Duration.nanoseconds($0.roundTrip) } ?? .zero
        return ChannelTimes.linkLossTimeout + min(roundTrip, ChannelTimes.longestOpeningTimeout)
    }

    /// When to wake; `nil` when the thread must end.
    private func wakeTime(_ state: State) -> MonotonicTime? {
        let now = clock.now
        switch state.phase {
        case .closed: return nil
        case .idle(let last): return last.map { wakeTime($0, now: now) } ?? MonotonicTime(nanoseconds: .max)
        case .opening(let opening): return min(wakeTime(opening.connection, now: now), opening.deadline)
        case .open(let open):
            // So that a command need not wake this thread to be resent in time; state frames arrive as often.
            return min(wakeTime(open.connection, now: now), now + ChannelTimes.resendShortest)
        }
    }

    private func wakeTime(_ connection: GroundConnection, now: MonotonicTime) -> MonotonicTime {
        let carrier = connection.carrier
        // What the socket does not accept now is sent when it is writable; until then only the other timers count.
        var earliest =
            carrier.wantsToWrite ? now + ChannelTimes.heartbeat : connection.session.nextDeadline(now: now)
        if carrier.handle == nil { earliest = max(earliest, carrier.nextDeadline) }
        return min(earliest, carrier.nextDeadline, now + ChannelTimes.reconnect)
    }

    private func receive(_ state: inout State, _ outcomes: inout GroundOutcomes) {
        guard let connection = state.phase.connection else { return }
        let (session, carrier) = (connection.session, connection.carrier)
        let now = clock.now
        if carrier.finishConnecting(now: now) { session.carrierWasRenewed(now: now) }
        var events: [(event: GroundEvent, at: MonotonicTime)] = []
        carrier.receive(now: now) { frame, waited in
            // Each frame's own time, taken after it was read: an earlier time may precede its sending, and the clock offset
            // would seem better known than it is.
            let arrivedAt = clock.now
            let event = session.receive(frame, now: arrivedAt, waited: waited)
            if case .nothing = event { return true }
            events.append((event, arrivedAt))
            return !event.endsCall
        }
        for (event, arrivedAt) in events { handle(event, of: session, at: arrivedAt, &state, &outcomes) }
        // Send the first heartbeat before callers learn that the link is open: setpoints need it.
        if !events.isEmpty { connection.send(now: clock.now) }
    }

    private func handle(
        _ event: GroundEvent, of session: GroundSession, at arrivedAt: MonotonicTime, _ state: inout State,
        _ outcomes: inout GroundOutcomes
    ) {
        switch event {
        case .nothing: break
        case .opened: finishOpening(&state, &outcomes, nil)
        case .refused(let error): finishOpening(&state, &outcomes, error)
        case .telemetry:
            state.telemetry = session.telemetry
            outcomes.telemetry = session.telemetry
            if let said = session.received.capabilities { state.capabilities = said }
        case .answered(let id, let result): state.calls.answer(id, result, &outcomes)
        case .informed(let id, let payload): state.calls.inform(id, payload, &outcomes)
        case .progressed(let id, let fraction): state.calls.progress(id, fraction, &outcomes)
        case .echoed(let sent):
            state.calls.echo(sentAt: sent, now: arrivedAt, &outcomes)
            session.awaitEcho(state.calls.awaitsEcho)
        case .ended:
            let error = LinkError(
                .notConnected, "the companion has ended the session", hint: "connect again when it runs")
            // The phase stays open: once the companion runs again, it is asked for a new ticket.
            state.calls.failAll(error, &outcomes)
            session.awaitEcho(false)
            outcomes.openError = error
        }
    }

    // MARK: Opening and closing

    private func finishOpening(_ state: inout State, _ outcomes: inout GroundOutcomes, _ error: LinkError?) {
        guard case .opening(let opening) = state.phase else { return }
        outcomes.openers = opening.openers
        outcomes.openError = error
        if error == nil {
            state.phase = .open(.init(connection: opening.connection))
        } else {
            opening.connection.session.end()
            state.phase = .idle(opening.connection)
        }
    }

    private func refusal(_ carrier: GroundCarrier) -> LinkError {
        LinkError(
            .unreachable, "\(host) refuses the channel (\(SystemError.text(carrier.lastError)))",
            hint: "is the companion running, and its \(carrier.isStream ? "TCP" : "UDP") port open in the firewall?")
    }

    private func noAnswer(_ carrier: GroundCarrier) -> LinkError {
        LinkError(
            .unreachable, "no answer from the companion at \(host) over \(carrier.isStream ? "TCP" : "UDP")",
            hint: "is its port open in the firewall? try --link \(carrier.isStream ? "udp" : "tcp")")
    }

    /// Closes the link; the thread, if it runs, ends by itself.
    func close() {
        var outcomes = GroundOutcomes()
        state.withLock { state in
            let error = LinkError(.closed, "the link was closed")
            switch state.phase {
            case .closed: return
            case .opening(let opening):
                outcomes.openers = opening.openers
                outcomes.openError = error
            case .idle, .open: break
            }
            let last = state.phase.connection
            last?.leave(now: clock.now)
            state.calls.failAll(error, &outcomes)
            state.phase = .closed(last)
        }
        renewSession.withLock { $0 = nil }
        waker.wake()
        deliver(outcomes)
        broadcast.finish()
    }

    func waitForThread() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                switch state.thread {
                case .stopped: return true
                case .running(let closers):
                    state.thread = .running(closers: closers + [continuation])
                    return false
                }
            }
            if isOver { continuation.resume() }
        }
    }
}
