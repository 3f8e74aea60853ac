internal import ChannelProtocol
internal import Synchronization
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
        var lost: [CheckedContinuation<Answer, Never>] = []
        var unheard: [CheckedContinuation<Information, Never>] = []
        var unanswered = Outcomes()
        let random = SecureRandom.bytes(ChannelLimits.handshakeRandom)
        let refusal: LinkError? = state.withLock { state in
            if case .closed = state.phase { return LinkError(.closed, "the link was closed") }
            let now = clock.now
            switch purpose {
            case .connection(_, let call):
                if state.cancelledCalls.remove(call) != nil {
                    return LinkError(.cancelled, "the connection was cancelled")
                }
            case .renewal:
                // The unused ticket expires by itself.
                if let session = state.session, session.phase == .open, !session.isSilent(now: now) { return nil }
            }
            let session: GroundSession
            do throws(LinkError) {
                session = try GroundSession(ticket: ticket, isReliable: isStream, helloRandom: random, now: now)
            } catch { return error }
            if !state.threadRuns {
                guard DedicatedThread.start({ self.run() }) else {
                    return LinkError(.internalFault, "cannot start a thread", hint: "raise 'ulimit -u'")
                }
                state.threadRuns = true
            }
            leave(&state, now: now)
            state.setpointsSentBefore += state.session?.setpointsSent ?? 0
            lost = Array(state.waiters.values)
            unheard = Array(state.questionWaiters.values)
            state.waiters = [:]
            state.questionWaiters = [:]
            state.watchers = [:]
            state.calls = [:]
            endPings(&state, &unanswered) { _ in Self.lost }
            storeTrace(of: state.session, &state)
            session.trace = makeTrace(&state)
            state.session = session
            state.companionVersion = ticket.program ?? ""
            state.carrier = GroundCarrier(addresses: addresses, isStream: isStream, now: now)
            switch purpose {
            case .connection(let opener, _):
                state.phase = .opening(deadline: deadline)
                state.openers.append(opener)
            case .renewal:
                state.nextRenewal = deadline
            }
            return nil
        }
        for waiter in lost { waiter.resume(returning: .failure(Self.lost)) }
        for asker in unheard { asker.resume(returning: .failure(Self.lost)) }
        deliver(unanswered)
        waker.wake()
        return refusal
    }

    /// Sends goodbye, if the carrier accepts it, so that the companion need not wait for its ground.
    func leave(_ state: inout State, now: MonotonicTime) {
        guard let session = state.session, let carrier = state.carrier else { return }
        session.end()
        carrier.send(from: session, now: now)
    }

    private static let lost = LinkError(
        .timedOut, "the companion lost the session before it answered", hint: "see 'uavlink status'")

    func cancelOpening(call: UInt64) {
        let openers = state.withLock { state in
            guard case .opening = state.phase else {
                if case .idle = state.phase { state.cancelledCalls.insert(call) }
                return [CheckedContinuation<LinkError?, Never>]()
            }
            state.phase = .idle
            state.session?.end()
            defer { state.openers = [] }
            return state.openers
        }
        for opener in openers { opener.resume(returning: LinkError(.cancelled, "the connection was cancelled")) }
        waker.wake()
    }

    func begin(
        _ command: Command, within timeout: Duration, call: UInt64, progress: MonotonicProgress?,
        waiter: CheckedContinuation<Answer, Never>
    ) {
        let refusal = begin(command.name, within: timeout, call: call) {
            session, deadline, now, state throws(LinkError) in
            let id = try session.begin(command, deadline: deadline, now: now)
            state.waiters[id] = waiter
            state.watchers[id] = progress
            return id
        }
        if let refusal { waiter.resume(returning: .failure(refusal)) }
    }

    func begin(
        _ question: SurveyQuestion, within timeout: Duration, call: UInt64, progress: MonotonicProgress?,
        asker: CheckedContinuation<Information, Never>
    ) {
        let refusal = begin(question.name, within: timeout, call: call) {
            session, deadline, now, state throws(LinkError) in
            let id = try session.begin(question, deadline: deadline, now: now)
            state.questionWaiters[id] = asker
            state.watchers[id] = progress
            return id
        }
        if let refusal { asker.resume(returning: .failure(refusal)) }
    }

    /// Sends a heartbeat now; the waiter is resumed by its answer.
    func ping(within timeout: Duration, call: UInt64, waiter: CheckedContinuation<Echo, Never>) {
        let refusal: LinkError? = state.withLock { state in
            if state.cancelledCalls.remove(call) != nil { return LinkError(.cancelled, "the round trip was cancelled") }
            guard case .open = state.phase, let session = state.session, let carrier = state.carrier else {
                return notConnected(state)
            }
            let now = clock.now
            guard timeout > .zero else { return LinkError(.timedOut, "the timeout expired before the ping was sent") }
            do throws(LinkError) { try session.ping(now: now) } catch { return error }
            state.pings.append(Ping(call: call, sentAt: now, deadline: now + timeout, waiter: waiter))
            carrier.send(from: session, now: now)
            return nil
        }
        if let refusal { waiter.resume(returning: .failure(refusal)) }
    }

    func cancelPing(call: UInt64) {
        var outcomes = Outcomes()
        state.withLock { state in
            if state.pings.contains(where: { $0.call == call }) {
                endPings(&state, &outcomes) { ping in
                    ping.call == call ? LinkError(.cancelled, "the round trip was cancelled") : nil
                }
            } else {
                state.cancelledCalls.insert(call)
            }
        }
        deliver(outcomes)
    }

    private func begin(
        _ name: String, within timeout: Duration, call: UInt64,
        _ begin: (GroundSession, MonotonicTime, MonotonicTime, inout State) throws(LinkError) -> UInt64
    ) -> LinkError? {
        // The thread usually wakes early enough by itself, and waking it now would delay the answer.
        var wakes = false
        let refusal: LinkError? = state.withLock { state in
            if state.cancelledCalls.remove(call) != nil {
                return LinkError(.cancelled, "\(name) was cancelled before it was sent")
            }
            guard case .open = state.phase, let session = state.session, let carrier = state.carrier else {
                return notConnected(state)
            }
            let now = clock.now
            guard timeout > .zero else { return LinkError(.timedOut, "the timeout expired before \(name) was sent") }
            do throws(LinkError) {
                state.calls[call] = try begin(session, now + timeout, now, &state)
                carrier.send(from: session, now: now)
                wakes = carrier.wantsToWrite || session.nextDeadline(now: now) < state.wakesAt
                return nil
            } catch { return error }
        }
        if refusal == nil, wakes, !executor.isCurrent { waker.wake() }
        return refusal
    }

    func cancel(call: UInt64, name: String) {
        let (waiter, asker) = state.withLock {
            state -> (CheckedContinuation<Answer, Never>?, CheckedContinuation<Information, Never>?) in
            guard let id = state.calls.removeValue(forKey: call) else {
                state.cancelledCalls.insert(call)
                return (nil, nil)
            }
            state.session?.forget(id)
            state.watchers[id] = nil
            return (state.waiters.removeValue(forKey: id), state.questionWaiters.removeValue(forKey: id))
        }
        waiter?.resume(
            returning: .failure(LinkError(.cancelled, "\(name) was cancelled; the vehicle may have received it")))
        asker?.resume(returning: .failure(LinkError(.cancelled, "the request for \(name) was cancelled")))
    }

    /// Removes a call that has ended, with any result.
    func finished(call: UInt64) {
        state.withLock { state in
            state.calls[call] = nil
            state.cancelledCalls.remove(call)
        }
    }

    /// Runs on the caller's thread from the call to the socket; allocates nothing.
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) {
        var isBlocked = false
        let refusal: LinkError? = state.withLock { state in
            guard case .open = state.phase, let session = state.session, let carrier = state.carrier else {
                return notConnected(state)
            }
            let now = clock.now
            do throws(LinkError) { try session.steer(setpoint, now: now) } catch { return error }
            carrier.send(from: session, now: now)
            isBlocked = carrier.wantsToWrite
            return nil
        }
        if let refusal { throw refusal }
        if isBlocked { waker.wake() }
    }

    private func notConnected(_ state: State) -> LinkError {
        if case .closed = state.phase { return LinkError(.closed, "the link was closed", hint: "create a new link") }
        return LinkError(.notConnected, "the link is not connected", hint: "connect first")
    }

    var quality: LinkQuality {
        state.withLock { state in
            var quality = LinkQuality()
            quality.setpointsSent = state.setpointsSentBefore
            quality.companionVersion = state.companionVersion
            guard let session = state.session else { return quality }
            let now = clock.now
            if case .open = state.phase { quality.isConnected = session.phase == .open && !session.isSilent(now: now) }
            let timing = session.timing
            quality.roundTrip = timing.newest.map { .nanoseconds($0.roundTrip) }
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
            guard let timing = state.session?.timing, let newest = timing.newest,
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
