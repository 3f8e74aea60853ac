internal import MachineLink
package import UAVLink

extension TelloClient {
    /// A datagram from the port of commands.
    package mutating func receive(_ bytes: some Collection<UInt8>, now: MonotonicTime) {
        guard phase != .idle, let reply = TelloReply(bytes) else { return statistics.unread &+= 1 }
        heard(now: now)
        if let answered = expectations.answered(reply, now: now) {
            take(answered, now: now)
        } else if case .failure(let text) = reply {
            // Of a move that was given up, or unasked: low battery, overheated.
            if reply.announcesLanding { flight.landsByItself(now: now) }
            tell(.warning, text, now: now)
        }
        advance(now: now)
    }

    /// A datagram of the drone's state.
    package mutating func receiveState(_ bytes: some Collection<UInt8>, now: MonotonicTime) {
        guard phase != .idle, let state = TelloState(bytes) else { return statistics.unread &+= 1 }
        heard(now: now)
        flight.take(state, at: now)
        statistics.countState(now: now)
        telemetry.take(state, at: now)
        for notice in notices.take(state, now: now) { tell(notice.severity, notice.text, now: now) }
        if let rates = statistics.rates(now: now) { telemetry.topicRates = rates }
        lookForEffects(now: now)
        report(now: now)
        advance(now: now)
    }

    private mutating func heard(now: MonotonicTime) {
        let wasLost = lastHeard.map { now - $0 >= TelloTimes.linkLoss } ?? false
        lastHeard = now
        guard phase == .open, wasLost || mode == .disconnected else { return }
        // It answers, or sends its state: that it does only once it has confirmed `command`.
        enter(.joined)
        enter(.confirmed)
    }

    /// What the state shows before, or instead of, an answer.
    private mutating func lookForEffects(now: MonotonicTime) {
        // A step of a plan ends when the drone has done it: the next one follows at once.
        if plan == nil, flight.showsTakeOff || flight.showsLanding {
            let reply = CommandReply(accepted: true, message: "begun, as the Tello's state shows")
            for call in expectations.takeMoveCalls() { answer(call, reply, now: now) }
        }
        guard flight.state == .disarmed else { return }
        if let move = expectations[.move] { landedDuring(move, now: now) }
        if let ended = expectations.end(.emergency, now: now) {
            let reply = CommandReply(accepted: true, message: "the motors have stopped, as the Tello's state shows")
            for call in ended.calls { answer(call, reply, now: now) }
        }
    }

    private mutating func landedDuring(_ move: TelloExpectations.Pending, now: MonotonicTime) {
        switch move.command {
        case .land:
            // One that stood when it was told to land answers that; where no answer counts, its state says it a moment later.
            let hasLanded = move.sentAt < flight.groundedSince ?? move.sentAt
            guard hasLanded || (move.isContested && now - move.sentAt >= TelloTimes.stray),
                let ended = expectations.end(.move, now: now)
            else { return }
            let words = hasLanded ? "landed" : "on the ground already"
            let reply = CommandReply(accepted: hasLanded, message: "\(words), as the Tello's state shows")
            for call in ended.calls { answer(call, reply, now: now) }
        // On the ground as in the air: its motors say nothing of it.
        case _ where move.command.isSetting: return
        default:
            // A take-off that had no effect, or a move that ended on the ground.
            guard let ended = expectations.end(.move, now: now) else { return }
            let what = "the Tello's motors are off, and it has not answered '\(ended.command.text)'"
            for call in ended.calls { fail(call, LinkError(.timedOut, what, hint: "look at the drone")) }
        }
    }

    // MARK: Answers

    private mutating func take(_ answered: TelloExpectations.Answered, now: MonotonicTime) {
        let pending = answered.pending
        switch pending.command {
        case .command: takeGreeting(answered.reply, now: now)
        case .read(let question): takeAnswer(to: question, answered, now: now)
        case .stop: takeStop(answered, now: now)
        case .land where answered.reply == .ok && !flight.mayStand(now: now):
            // Late, of a command before it: the drone is in the air.
            expectations.contest(pending)
            landAgainAt = now
        default:
            let isDone = answered.reply == .ok
            noteEffect(of: pending.command, answered.reply, now: now)
            let reply = CommandReply(accepted: isDone, message: Self.words(of: answered.reply, pending.command))
            if pending.calls.isEmpty, !isDone { tell(.warning, reply.message, now: now) }
            for call in pending.calls { answer(call, reply, now: now) }
            report(now: now)
        }
    }

    private mutating func takeGreeting(_ reply: TelloReply, now: MonotonicTime) {
        guard reply == .ok else {
            guard case .greeting = phase else { return }
            let error = LinkError(
                .remoteFailed, "the Tello answers 'command' with '\(Self.words(of: reply, .command))'",
                hint: "a new drone refuses everything until it was activated with the vendor's app")
            for (call, caller) in callers where caller.name == nil {
                callers[call] = nil
                endings.append(.opened(call, error))
            }
            phase = .idle
            return enter(.lost)
        }
        enter(.joined)
        enter(.confirmed)
        if case .greeting = phase { phase = .asking(nextAt: now, left: TelloTimes.versionAttempts) }
    }

    private mutating func takeAnswer(
        to question: TelloCommand.Question, _ answered: TelloExpectations.Answered, now: MonotonicTime
    ) {
        statistics.add(roundTrip: now - answered.pending.sentAt, at: now)
        switch (question, answered.reply) {
        case (.version, let reply):
            guard case .asking = phase, let version = TelloVersion(answer: reply) else { break }
            opened(as: version, now: now)
        case (.serial, .value(let text)):
            serial = text
            tell(.information, "serial number \(text)", now: now)
        case (.battery, .value(let text)):
            // Where a firewall keeps the state away, this is all that is known.
            if telemetry.velocityMetresPerSecond == nil { telemetry.takeBattery(text, at: now) }
            hasNews = true
        case (.serial, _), (.battery, _): break
        }
        guard question == .battery else { return }
        let reply = CommandReply(
            accepted: true,
            message: "neutral sticks were sent, which SDK \(version.text) does not answer; the Tello hears")
        for call in hovering { answer(call, reply, now: now) }
        hovering = []
    }

    private mutating func takeStop(_ answered: TelloExpectations.Answered, now: MonotonicTime) {
        repetitions.removeAll { $0.command == .stop }
        let calls = answered.pending.calls
        if case .unknownCommand = answered.reply {
            // An older firmware than it says: its stop are neutral sticks.
            version = .sdk13
            outgoing.append(.sticks(.neutral))
            hovering += calls
            return
        }
        let reply = CommandReply(
            accepted: answered.reply == .ok, message: Self.words(of: answered.reply, answered.pending.command))
        for call in calls { answer(call, reply, now: now) }
    }

    private mutating func noteEffect(of command: TelloCommand, _ reply: TelloReply, now: MonotonicTime) {
        switch (command, reply) {
        case (.takeoff, .ok): flight.tookOff()
        case (.land, .ok): flight.landed(now: now)
        case (.takeoff, _), (.land, _): flight.failed(now: now)
        default: if reply.announcesLanding { flight.landsByItself(now: now) }
        }
    }

    mutating func expired(_ pending: TelloExpectations.Pending, now: MonotonicTime) {
        switch pending.command {
        case .read: statistics.unanswered &+= 1
        case .takeoff, .land: if !flight.isConfirmedByMotors { flight.failed(now: now) }
        default: break
        }
        for call in pending.calls {
            fail(
                call,
                LinkError(
                    .timedOut, "the Tello has not answered '\(pending.command.text)'",
                    hint: "it may have been received: look at the drone"))
        }
    }

    private static func words(of reply: TelloReply, _ command: TelloCommand) -> String {
        switch reply {
        case .ok: "ok"
        case .forcedStop: "forced stop"
        case .unknownCommand: "the firmware does not know '\(command.word)'"
        case .failure(let text), .value(let text): text
        }
    }

    // MARK: Telemetry

    mutating func tell(_ severity: VehicleMessage.Severity, _ text: String, now: MonotonicTime) {
        telemetry.append(Sample(VehicleMessage(severity: severity, text: text), at: now))
        hasNews = true
    }

    /// Brings the mode and the flight status into line with what the drone does.
    mutating func report(now: MonotonicTime) {
        let state = flight.state
        if state.isAirborne || plan == nil { enter(state.isAirborne ? .tookOff : .landed) }
        if plan != nil { enter(.planStarted) }
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state.isAirborne, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: now)
        hasNews = true
    }
}
