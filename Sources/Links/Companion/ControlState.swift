internal import Authority
internal import ChannelProtocol
internal import UAVLink

/// Who has control authority over a companion's vehicle, with the counters, log limits and revision that go with it.
///
/// A value behind the companion's lock, without clock or I/O.
struct ControlState: Sendable {
    /// Why nothing that needs control authority begins any more.
    static let endingMessage = "the companion is ending"

    private var authority: ControlAuthority<SessionID>
    private var names = PilotNames()
    private var steering = SteeringCounts()
    private var log = SteeringLog()
    /// Revision of the control status that grounds receive.
    private(set) var revision: UInt64 = 0
    /// The companion is about to end: no control authority is granted, and nothing that moves the vehicle begins.
    private(set) var isEnding = false

    init(lease: Duration, firstStop: UInt64 = 0) {
        var times = ControlAuthority<SessionID>.Times()
        times.lease = lease
        authority = ControlAuthority(times: times, firstStop: firstStop)
    }

    /// Counters of setpoints.
    var counts: SteeringCounts {
        var counts = steering
        counts.lapses = authority.lapses
        return counts
    }

    /// The pilot with control authority.
    var pilot: ControlAuthority<SessionID>.Pilot? { authority.pilot }
    /// The session that steers, if any.
    var steeringSession: SessionID? { authority.isSteering ? authority.pilot?.party : nil }
    /// How many stop commands and grants of control authority there were.
    var stops: UInt64 { authority.stops }
    /// When ``tick(now:)`` is due.
    var deadline: MonotonicTime? { authority.deadline }

    /// The control status for a session.
    func status(for session: SessionID) -> ControlStatus {
        ControlStatus(
            pilot: authority.pilot.map {
                ControlStatus.Pilot(name: $0.name, since: $0.since, isYou: $0.party == session)
            },
            isSteering: authority.isSteering, lastEndReason: authority.ended?.why.words ?? "")
    }

    // MARK: Setpoints

    /// Whether a setpoint may be forwarded; renews the lease.
    mutating func judgeSetpoint(by session: SessionID, isNeutral: Bool, at now: MonotonicTime) -> SetpointVerdict {
        let wasSteering = authority.isSteering
        let verdict = authority.judgeSetpoint(by: session, isNeutral: isNeutral, at: now)
        if verdict != .granted { steering.refused += 1 }
        if wasSteering != authority.isSteering { revision += 1 }
        return verdict
    }

    /// A setpoint was forwarded; says whether to log it.
    mutating func setpointApplied(by session: SessionID, at now: MonotonicTime) -> Bool {
        steering.applied += 1
        return log.note(.steers, of: session, at: now)
    }

    /// A setpoint was refused; says whether to log it.
    mutating func setpointRefused(
        _ state: SteeringLog.SetpointState, by session: SessionID, at now: MonotonicTime
    ) -> Bool {
        log.note(state, of: session, at: now)
    }

    /// The backend did not take a setpoint; says whether to log it.
    mutating func setpointFailed(by session: SessionID, at now: MonotonicTime) -> Bool {
        let wasSteering = authority.isSteering
        authority.setpointFailed(by: session)
        if wasSteering != authority.isSteering { revision += 1 }
        steering.failed += 1
        return log.note(.notForwarded, of: session, at: now)
    }

    // MARK: Commands

    /// Begins a command; `nil` if this companion is ending and the command needs control authority.
    mutating func begin(
        _ command: Command, _ issue: CommandIssue, by session: SessionID, at now: MonotonicTime
    ) -> CommandAdmission<SessionID>? {
        if isEnding, command.requiredAuthority == .command { return nil }
        let before = authority.pilot
        let wasSteering = authority.isSteering
        let stops = authority.stops
        let admission = authority.begin(
            command, issue, by: session, name: names[session] ?? "another ground", at: now)
        if authority.pilot != before || authority.isSteering != wasSteering || authority.stops != stops {
            revision += 1
        }
        return admission
    }

    /// Ends a command.
    mutating func end(_ ticket: ControlAuthority<SessionID>.Ticket, _ outcome: CommandOutcome, at now: MonotonicTime) {
        authority.end(ticket, outcome, at: now)
    }

    // MARK: Requests

    /// Answers a request for control authority, or its release; says whether to log it.
    mutating func answer(
        _ request: ControlAuthorityRequest, by session: SessionID, at now: MonotonicTime
    ) -> (reply: CommandReply, shouldLog: Bool) {
        let wasPilot = authority.pilot?.party == session
        revision += 1
        switch request {
        case .take(let name): return (take(by: session, name: name, force: nil, at: now), true)
        case .takeOver(let name, let reason): return (take(by: session, name: name, force: reason, at: now), true)
        // A release by a session without control authority is not logged.
        case .release(let reason): return (release(by: session, reason: reason, at: now), wasPilot)
        }
    }

    private mutating func take(
        by session: SessionID, name: String, force: String?, at now: MonotonicTime
    ) -> CommandReply {
        guard !isEnding else { return CommandReply(accepted: false, message: Self.endingMessage) }
        let name = names.take(name.sanitizedLine, by: session)
        switch authority.take(by: session, name: name, force: force, at: now) {
        case .granted: return CommandReply(accepted: true, message: "you have control authority")
        case .heldBy(let pilot): return CommandReply(accepted: false, message: Self.message(heldBy: pilot, at: now))
        }
    }

    private mutating func release(by session: SessionID, reason: String, at now: MonotonicTime) -> CommandReply {
        guard authority.pilot?.party == session else {
            let who = authority.pilot.map { "\($0.name) has it" } ?? "no pilot has it"
            let ending = authority.ended.map { ": \($0.why.words)" } ?? ""
            return CommandReply(accepted: false, message: "you do not have control authority, \(who)\(ending)")
        }
        authority.release(by: session, reason: reason, at: now)
        return CommandReply(accepted: true, message: "control authority released")
    }

    /// Message to a session that does not have control authority: who has it, and how to take over.
    static func message(heldBy pilot: ControlAuthority<SessionID>.Pilot, at now: MonotonicTime) -> String {
        "\(pilot.name) has had control authority for \(max(0, Int((now - pilot.since).inSeconds))) s; stop commands are always accepted; "
            + ControlAuthorityRequest.takeOverAdvice
    }

    /// Message to a session whose command came too late.
    static func message(overruledBy stop: String) -> String {
        CommandReply.overruled(by: stop).message
    }

    /// Message to a session that commands a vehicle flown by radio.
    static let messageOfRadio = "not sent to the vehicle, which is flown by radio; stop commands are"

    // MARK: What happens

    /// Updates what the vehicle does; returns the session that lost control authority by it, and why.
    mutating func see(_ availability: VehicleAvailability, at now: MonotonicTime) -> (session: SessionID, why: String)?
    {
        let before = authority.pilot
        authority.see(availability, at: now)
        guard authority.pilot != before else { return nil }
        revision += 1
        return before.map { (session: $0.party, why: authority.ended?.why.words ?? "") }
    }

    /// Ends the control authority of a session that is gone or silent.
    mutating func lose(_ session: SessionID, at now: MonotonicTime) {
        names.lose(session)
        guard authority.pilot?.party == session else { return }
        revision += 1
        authority.lose(session, at: now)
    }

    /// A session is heard again.
    mutating func restore(_ session: SessionID) { names.restore(session) }

    /// Forgets a closed session.
    mutating func forget(_ session: SessionID) {
        names.forget(session)
        authority.forget(session)
        log.forget(session)
    }

    /// Applies the lease.
    ///
    /// - Returns: what to do now, the pilot whose lease has expired, and due log lines.
    mutating func tick(
        now: MonotonicTime
    ) -> (mustBrake: Bool, expired: ControlAuthority<SessionID>.Pilot?, lines: [String]) {
        let lapses = authority.lapses
        let pilot = authority.pilot
        let wasSteering = authority.isSteering
        let mustBrake = authority.tick(now: now) == .brake
        // Also with centred sticks: a pilot who is shown as steering would not start neutral.
        if wasSteering != authority.isSteering { revision += 1 }
        return (mustBrake, authority.lapses != lapses ? pilot : nil, log.takeSummaries(at: now))
    }

    /// The companion is about to end.
    ///
    /// - Returns: whether to brake now, and the pilot who was steering.
    mutating func conclude(at now: MonotonicTime) -> (mustBrake: Bool, steering: ControlAuthority<SessionID>.Pilot?) {
        isEnding = true
        revision += 1
        let pilot = authority.isSteering ? authority.pilot : nil
        if let party = authority.pilot?.party { authority.lose(party, at: now) }
        return (authority.tick(now: now) == .brake, pilot)
    }

    /// Whether to log an event of a session now.
    mutating func shouldLog(
        _ event: SteeringLog.Event, _ line: String, of session: SessionID, at now: MonotonicTime
    ) -> Bool {
        log.note(event, line, of: session, at: now)
    }
}

extension CommandOutcome {
    /// What a result says about the outcome of a command.
    init(_ result: Result<CommandReply, LinkError>) {
        switch result {
        case .success(let reply): self = reply.accepted ? .accepted : .refused
        // With every other code the vehicle did not act on it (`UAVLink.perform`).
        case .failure(let error): self = error.code == .timedOut || error.code == .cancelled ? .unknown : .refused
        }
    }
}
