internal import ChannelProtocol
internal import Synchronization
internal import SystemIO
internal import UAVLink
internal import Threads

/// Calls from the users of the link, each under the core's lock.
extension GroundCore {
    /// Why a session is installed.
    enum Purpose {
        /// `connect` was called; its caller waits until the session is open or the deadline has passed.
        case connection(CheckedContinuation<LinkError?, Never>, call: UInt64)
        /// The link has not heard its session for long; the present session is kept if it has been heard again.
        case renewal
    }

    /// Installs a session; a refusal is returned, and then the opener is not retained.
    ///
    /// - Parameter deadline: when the session must be open.
    func install(
        _ ticket: ChannelTicket, _ addresses: [SocketAddress], isStream: Bool, deadline: MonotonicTime,
        for purpose: Purpose
    ) -> LinkError? {
        var lost = GroundOutcomes()
        let random = SecureRandom.bytes(ChannelLimits.handshakeRandom)
        let refusal: LinkError? = state.withLock { state in
            if case .closed = state.phase { return LinkError(.closed, "the link was closed") }
            let now = clock.now
            let last = state.phase.connection
            switch purpose {
            case .connection(_, let call):
                if state.calls.takeCancelled(call) { return LinkError(.cancelled, "the connection was cancelled") }
            case .renewal:
                // The unused ticket expires by itself.
                if let session = last?.session, session.phase == .open, !session.isLost(now: now) { return nil }
            }
            let session: GroundSession
            do throws(LinkError) {
                session = try GroundSession(ticket: ticket, isReliable: isStream, helloRandom: random, now: now)
                try startThread(&state)
            } catch { return error }
            last?.leave(now: now)
            state.setpointsSentBefore += last?.session.setpointsSent ?? 0
            state.calls.failAll(Self.lost, &lost)
            storeTrace(of: last?.session, &state)
            state.connections += 1
            session.trace = makeTrace(state, of: state.connections, ticket.program ?? "")
            let carrier = GroundCarrier(addresses: addresses, isStream: isStream, now: now)
            if state.stampsReceipts { carrier.stampReceipts() }
            let connection = GroundConnection(
                number: state.connections, session: session, carrier: carrier,
                companionVersion: ticket.program ?? "")
            switch purpose {
            case .connection(let opener, _): state.phase.open(connection, for: opener, until: deadline)
            case .renewal: state.phase.renew(connection, until: deadline)
            }
            return nil
        }
        deliver(lost)
        waker.wake()
        return refusal
    }

    private func startThread(_ state: inout State) throws(LinkError) {
        switch state.thread {
        case .running: break
        case .stopped:
            guard DedicatedThread.start({ self.run() }) else {
                throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
            }
            state.thread = .running(closers: [])
        }
    }

    private static let lost = LinkError(
        .timedOut, "the companion lost the session before it answered", hint: "see 'uavlink status'")

    func cancelOpening(call: UInt64) {
        let openers = state.withLock { state -> [CheckedContinuation<LinkError?, Never>] in
            switch state.phase {
            case .opening(let opening):
                opening.connection.session.end()
                state.phase = .idle(opening.connection)
                return opening.openers
            case .idle: state.calls.cancelEarly(call)
            case .open, .closed: break
            }
            return []
        }
        for opener in openers { opener.resume(returning: LinkError(.cancelled, "the connection was cancelled")) }
        waker.wake()
    }

    func begin(
        _ command: Command, within timeout: Duration, call: UInt64, progress: MonotonicProgress?,
        waiter: CheckedContinuation<Answer, Never>
    ) {
        let refusal = begin(command.name, within: timeout, call: call) {
            session, deadline, now, calls throws(LinkError) in
            let id = try session.begin(command, in: .current, deadline: deadline, now: now)
            calls.add(id, of: call, .command(waiter), progress)
        }
        if let refusal { waiter.resume(returning: .failure(refusal)) }
    }

    /// How many stops of the companion the open session knows of.
    var knownStops: UInt64? {
        state.withLock { try? $0.phase.usable().session.knownStops }
    }

    func begin(
        _ question: SurveyQuestion, within timeout: Duration, call: UInt64, progress: MonotonicProgress?,
        asker: CheckedContinuation<Information, Never>
    ) {
        let refusal = begin(question.name, within: timeout, call: call) {
            session, deadline, now, calls throws(LinkError) in
            let id = try session.begin(question, deadline: deadline, now: now)
            calls.add(id, of: call, .question(asker), progress)
        }
        if let refusal { asker.resume(returning: .failure(refusal)) }
    }

    private func begin(
        _ name: String, within timeout: Duration, call: UInt64,
        _ begin: (GroundSession, MonotonicTime, MonotonicTime, inout PendingCalls) throws(LinkError) -> Void
    ) -> LinkError? {
        // The thread usually wakes early enough by itself, and waking it now would delay the answer.
        var wakes = false
        let refusal: LinkError? = state.withLock { state in
            do throws(LinkError) {
                if state.calls.takeCancelled(call) {
                    throw LinkError(.cancelled, "\(name) was cancelled before it was sent")
                }
                let connection = try state.phase.usable()
                let now = clock.now
                guard timeout > .zero else { throw LinkError(.timedOut, "the timeout expired before \(name) was sent") }
                try begin(connection.session, now + timeout, now, &state.calls)
                connection.send(now: now)
                wakes =
                    connection.carrier.wantsToWrite || connection.session.nextDeadline(now: now) < state.wakesAt
                return nil
            } catch { return error }
        }
        if refusal == nil, wakes, !executor.isCurrent { waker.wake() }
        return refusal
    }

    func cancel(call: UInt64, name: String) {
        let waiter = state.withLock { state -> PendingCalls.Waiter? in
            guard let (id, waiter) = state.calls.cancel(call) else { return nil }
            state.phase.connection?.session.forget(id)
            return waiter
        }
        switch waiter {
        case nil: break
        case .command(let waiter):
            let error = LinkError(.cancelled, "\(name) was cancelled; the vehicle may have received it")
            waiter.resume(returning: .failure(error))
        case .question(let asker):
            asker.resume(returning: .failure(LinkError(.cancelled, "the request for \(name) was cancelled")))
        }
    }

    /// Sends a heartbeat now; the waiter is resumed by its answer.
    func ping(within timeout: Duration, call: UInt64, waiter: CheckedContinuation<Echo, Never>) {
        let refusal: LinkError? = state.withLock { state in
            do throws(LinkError) {
                if state.calls.takeCancelled(call) { throw LinkError(.cancelled, "the round trip was cancelled") }
                let connection = try state.phase.usable()
                let now = clock.now
                guard timeout > .zero else {
                    throw LinkError(.timedOut, "the timeout expired before the ping was sent")
                }
                try connection.session.ping(now: now)
                state.calls.addPing(of: call, sentAt: now, deadline: now + timeout, waiter)
                connection.send(now: now)
                return nil
            } catch { return error }
        }
        if let refusal { waiter.resume(returning: .failure(refusal)) }
    }

    func cancelPing(call: UInt64) {
        var outcomes = GroundOutcomes()
        state.withLock { state in
            state.calls.cancelPing(call, &outcomes)
            state.phase.connection?.session.awaitEcho(state.calls.awaitsEcho)
        }
        deliver(outcomes)
    }

    /// The number of a new call.
    func newCall() -> UInt64 { state.withLock { $0.calls.newCall() } }

    /// Removes a call that has ended, with any result.
    func finished(call: UInt64) { state.withLock { $0.calls.finish(call) } }

    /// Runs on the caller's thread from the call to the socket; allocates nothing.
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        var isBlocked = false
        let result: Result<SteeringReceipt, LinkError> = state.withLock { state in
            do throws(LinkError) {
                let connection = try state.phase.usable()
                let session = connection.session
                let now = clock.now
                let sentBefore = session.setpointsSent
                let number = try session.steer(setpoint, now: now)
                connection.send(now: now)
                isBlocked = connection.carrier.wantsToWrite
                return .success(
                    SteeringReceipt(
                        session: connection.number, number: number,
                        sentAt: session.setpointsSent > sentBefore ? clock.now : nil))
            } catch { return .failure(error) }
        }
        if isBlocked { waker.wake() }
        return try result.get()
    }

    /// Whether the session is open.
    ///
    /// - Throws: `closed`; `unsupported` while it is being opened.
    func isOpen() throws(LinkError) -> Bool {
        try state.withLock { state throws(LinkError) in
            switch state.phase {
            case .idle: return false
            case .opening: throw LinkError(.unsupported, "the link is already connecting")
            case .open(let open): return open.connection.session.phase == .open
            case .closed: throw LinkError(.closed, "the link was closed", hint: "create a new link")
            }
        }
    }

    var quality: LinkQuality {
        state.withLock { state in
            var quality = LinkQuality()
            quality.setpointsSent = state.setpointsSentBefore
            guard let connection = state.phase.connection else { return quality }
            quality.companionVersion = connection.companionVersion
            let session = connection.session
            let now = clock.now
            if case .open = state.phase { quality.isConnected = session.phase == .open && !session.isLost(now: now) }
            let timing = session.timing
            quality.roundTrip = timing.newest.map { .nanoseconds($0.roundTrip) }
            quality.roundTripAt = timing.newest.map { _ in timing.newestAt }
            let shares = timing.roundTrips.percentiles([0.5, 0.99])
            quality.roundTripMedian = shares.first.map { .nanoseconds($0) }
            quality.roundTripP99 = shares.last.map { .nanoseconds($0) }
            quality.lossUp = timing.outgoing.loss
            quality.lossDown = timing.incoming.loss
            let estimate = timing.estimate(now: now)
            quality.clockOffset = estimate.map { .nanoseconds($0.offset) }
            quality.clockOffsetBound = estimate.map { .nanoseconds($0.bound) }
            quality.lastTelemetryAt = session.received.lastAt
            quality.telemetryRateHertz = session.received.rate(now: now)
            quality.setpointsSent += session.setpointsSent
            quality.setpointsApplied = session.setpoints.applied
            quality.setpointsExpired = session.setpoints.stale
            return quality
        }
    }

    var timing: ChannelTiming? {
        state.withLock { state in
            guard let timing = state.phase.connection?.session.timing, let newest = timing.newest,
                let estimate = timing.estimate(now: clock.now)
            else { return nil }
            // The newest exchange's own offset would make both delays half the round trip: the filtered offset separates them.
            let skew = newest.offset &- estimate.offset
            let half = newest.roundTrip / 2
            return ChannelTiming(
                roundTrip: .nanoseconds(newest.roundTrip), clockOffset: .nanoseconds(estimate.offset),
                clockOffsetBound: .nanoseconds(estimate.bound), delayUp: .nanoseconds(half &+ skew),
                delayDown: .nanoseconds(half &- skew))
        }
    }
}
