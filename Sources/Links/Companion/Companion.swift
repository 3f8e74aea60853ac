internal import Authority
internal import Synchronization
public import ChannelProtocol
public import SocketTransport
public import UAVLink

/// The vehicle's end of the channel: takes steering and commands from sessions, enforces control authority, forwards to a
/// backend.
///
/// The backend is itself a ``UAVLink``: ROS on the vehicle, or the simulator in this process.
///
/// ```
///   datagram ─▶ ChannelServer ──steer───▶ ControlState ─▶ backend.steer    (the channel's thread, no allocation)
///                    │        ──perform─▶ ControlState ─▶ backend.perform  (the channel's thread; a task where it must wait)
///                    ◀──────── telemetry ── ControlState ◀ backend.telemetry (a task)
/// ```
public final class Companion: ChannelHandler {
    private let configuration: Configuration
    private let backend: BackendConnection
    let clock: any MonotonicClock
    let log: CompanionLog
    /// Heartbeat of the channel thread; `nil` if it is not watched.
    private let pulse: ChannelHeartbeat?
    /// Keeps the machine from its own failsafe while a ground is heard; `nil` for a vehicle that has none of that kind.
    private let keepAlive: ChannelHeartbeat?
    let control: Mutex<ControlState>
    let openSessions: OpenSessions
    private let pending = PendingCommands()
    /// Makes the channel thread call ``tick(now:)``.
    private let wakeChannel = Mutex<(@Sendable () -> Void)?>(nil)
    private let survey: SurveyService
    let traceSource: (any TraceSource)?
    /// The number of the setpoint that the backend has sent last.
    let published = Atomic<UInt64>(0)

    /// Creates a companion in front of a backend.
    ///
    /// - Parameters:
    ///   - isReached: whether the backend is connected already; otherwise commands wait until ``run(publish:)`` has connected
    ///     it.
    ///   - traceSource: what the backend can tell a ground that traces its session.
    ///   - pulse: heartbeat of the channel thread.
    public init(
        _ configuration: Configuration, backend: any UAVLink, isReached: Bool = false,
        traceSource: (any TraceSource)? = nil, pulse: ChannelHeartbeat? = nil,
        clock: any MonotonicClock = SystemMonotonicClock(), log: CompanionLog = CompanionLog()
    ) {
        self.configuration = configuration
        self.backend = BackendConnection(backend, isConnected: isReached, configuration, clock: clock, log: log)
        survey = SurveyService(backend: backend.capabilities.survey, clock: clock)
        self.traceSource = traceSource
        self.clock = clock
        self.log = log
        self.pulse = pulse
        control = Mutex(ControlState(lease: configuration.lease, firstStop: configuration.firstStop))
        let openSessions = OpenSessions(clock: clock, log: log)
        self.openSessions = openSessions
        keepAlive = backend.capabilities.keepAlive.map { machine in
            ChannelHeartbeat(every: Self.keepAlivePeriod) { if openSessions.hasHeardOne { machine.keepAlive() } }
        }
    }

    /// A use of a machine's link counts for about 3 s.
    private static let keepAlivePeriod: Duration = .milliseconds(500)

    /// Counters of setpoints.
    public var counts: SteeringCounts { control.withLock { $0.counts } }

    /// The session that steers, if any.
    public var steeringSession: SessionID? { control.withLock { $0.steeringSession } }

    /// Name of the pilot with control authority, for display: `anna@laptop`.
    public var pilotName: String? { control.withLock { $0.pilot?.name } }

    /// How long no session has been open; `nil` while one is.
    public var idleTime: Duration? { openSessions.idleTime }

    /// Sets how to make the channel thread call ``tick(now:)``.
    func wake(by wake: @escaping @Sendable () -> Void) { wakeChannel.withLock { $0 = wake } }

    /// Connects the backend, retrying until it answers, and then forwards its telemetry until the task is cancelled.
    ///
    /// After the first connection the backend reconnects by itself when a master or a flight stack restarts.
    public func run(publish: @escaping @Sendable (Telemetry) -> Void) async {
        await backend.connect()
        var watch = VehicleStateLog(log: log)
        for await telemetry in backend.link.telemetry() {
            watch.see(telemetry)
            see(telemetry)
            publish(telemetry)
        }
    }

    /// Updates what the vehicle does, on any thread; ``run(publish:)`` passes all telemetry to it.
    public func see(_ telemetry: Telemetry) {
        let now = clock.now
        let availability = VehicleAvailability(telemetry, now: now)
        switch availability {
        case .radio, .elsewhere(.landing), .elsewhere(.emergency):
            if !pending.isEmpty { pending.takeBack("not executed, since the vehicle lands or is flown by radio") }
        case .unknown, .steerable, .elsewhere: break
        }
        guard let (session, why) = control.withLock({ $0.see(availability, at: now) }) else { return }
        wakeChannel.withLock { $0 }?()
        say(.endedByVehicle, "steering of session \(session) has ended: \(why)", of: session)
    }

    // MARK: Setpoints

    /// Forwards a setpoint if its session has control authority; on the channel thread, without allocating.
    public func steer(
        _ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime
    ) -> SteeringVerdict {
        let verdict = control.withLock {
            $0.judgeSetpoint(by: session, isNeutral: setpoint.isNeutral, at: arrivedAt)
        }
        guard verdict == .granted else {
            note(refusal: verdict, of: session, at: arrivedAt)
            return .refused
        }
        do throws(LinkError) {
            let receipt = try backend.link.steer(setpoint)
            guard receipt.isTaken else { throw Self.notSent }
            published.store(receipt.number, ordering: .relaxed)
        } catch {
            note(backendFailure: error, of: session, at: arrivedAt)
            return .refused
        }
        let (shouldLog, isEnding) = control.withLock { control in
            (control.setpointApplied(by: session, at: arrivedAt), control.isEnding)
        }
        // A concurrent ``stopSteering()`` has braked, but perhaps before this setpoint.
        if isEnding, !setpoint.isNeutral { backend.brake() }
        if shouldLog { log.say(SteeringLog.SetpointState.steers.line(of: session)) }
        return .applied
    }

    private static let notSent = LinkError(.timedOut, "a setpoint expired before it was sent to the vehicle")

    private func note(refusal: SetpointVerdict, of session: SessionID, at now: MonotonicTime) {
        guard let state = SteeringLog.SetpointState(refusal) else { return }
        let shouldLog = control.withLock { $0.setpointRefused(state, by: session, at: now) }
        if shouldLog { log.say(state.line(of: session)) }
    }

    private func note(backendFailure error: LinkError, of session: SessionID, at now: MonotonicTime) {
        let shouldLog = control.withLock { $0.setpointFailed(by: session, at: now) }
        if shouldLog { log.say("\(SteeringLog.SetpointState.notForwarded.line(of: session)): \(error.description)") }
    }

    /// Brakes the vehicle when the lease has expired; returns when to be called next.
    public func tick(now: MonotonicTime) -> MonotonicTime? {
        let (tick, deadline) = control.withLock { control in (control.tick(now: now), control.deadline) }
        if tick.mustBrake { backend.brake() }
        for line in tick.lines { log.say(line) }
        if let expired = tick.expired {
            let milliseconds = Int(configuration.lease.inMilliseconds)
            say(
                .lapsed,
                "session \(expired.party) sent no fresh setpoint for \(milliseconds) ms: lease expired, braking",
                of: expired.party)
        }
        // On this thread only: a machine whose companion hangs is left to its own failsafe.
        return Self.earliest(deadline, Self.earliest(pulse?.turn(at: now), keepAlive?.turn(at: now)))
    }

    private static func earliest(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Brakes the vehicle if it is steered: the companion is about to end and will not hold the lease. Callable on any
    /// thread; does not block.
    public func stopSteering() {
        let now = clock.now
        let (mustBrake, steering) = control.withLock { $0.conclude(at: now) }
        if mustBrake { backend.brake() }
        guard let steering else { return }
        log.say("ending while session \(steering.party) steers: braking")
    }

    // MARK: Commands

    /// Executes a command, unless another pilot has control authority or its deadline passes before it can begin. A command
    /// that takes over suspends steering from here on, however long its answer takes.
    public func perform(
        _ command: Command, _ issue: CommandIssue, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        // Before it takes over from anybody: nothing happens.
        if let lack = backend.link.vehicleCapabilities.refusal(of: command, vehicle: configuration.vehicle) {
            answer(.failure(lack))
            return note(.failure(lack), of: command, from: session)
        }
        let now = clock.now
        let ticket: ControlAuthority<SessionID>.Ticket
        switch control.withLock({ $0.begin(command, issue, by: session, at: now) }) {
        case .admitted(let admitted): ticket = admitted
        case .heldBy(let pilot): return refuse(ControlState.message(heldBy: pilot, at: now))
        case .overruled(let stop): return refuse(ControlState.message(overruledBy: stop))
        case .flownByRadio: return refuse(ControlState.messageOfRadio)
        case nil: return refuse(ControlState.endingMessage)
        }
        if command.requiredAuthority == .stop {
            pending.takeBack(ControlState.message(overruledBy: command.name))
        }
        let entry = command.endsWithStops ? pending.add(of: session) : nil
        let recall = backend.perform(command, until: deadline) { [self] result, outcome in
            let (result, outcome) = entry?.outcome(result, outcome) ?? (result, outcome)
            if let entry { pending.remove(entry) }
            end(ticket, outcome)
            answer(result)
            // After the answer, so that it does not wait for the log.
            note(result, of: command, from: session)
        }
        entry?.hold(recall)

        func refuse(_ message: String) {
            let refusal = CommandReply(accepted: false, message: message)
            answer(.success(refusal))
            note(.success(refusal), of: command, from: session)
        }
    }

    /// Ends a command, on any thread; only the channel thread brakes, in one order with commands and setpoints.
    private func end(_ ticket: ControlAuthority<SessionID>.Ticket, _ outcome: CommandOutcome) {
        let now = clock.now
        let isDue = control.withLock { control in
            control.end(ticket, outcome, at: now)
            return control.deadline != nil
        }
        if isDue { wakeChannel.withLock { $0 }?() }
    }

    private func note(_ result: Result<CommandReply, LinkError>, of command: Command, from session: SessionID) {
        switch result {
        case .success(let reply):
            log.say("session \(session): \(command.name) \(reply.accepted ? "accepted" : "refused"): \(reply.message)")
        case .failure(let error): log.say("session \(session): \(command.name) failed: \(error.description)")
        }
    }

    // MARK: Queries

    /// How many stop commands and grants of control authority there were.
    public var stops: UInt64 { control.withLock { $0.stops } }

    /// Revision of the control status.
    public var controlRevision: UInt64 { control.withLock { $0.revision } }

    /// The control status for a session.
    public func controlStatus(for session: SessionID) -> ControlStatus? {
        control.withLock { $0.status(for: session) }
    }

    /// Answers a query from the backend. Maps are large: a few are prepared at a time.
    public func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
    ) {
        // Decided here, without waiting for the vehicle.
        if case .control(let request) = question {
            return answer(.success(.control(self.answer(request, from: session))))
        }
        survey.answer(question, from: session, until: deadline) { [log] result in
            answer(result)
            switch result {
            case .success: log.say("sent \(question.name) to session \(session)")
            case .failure(let error):
                log.say("could not send \(question.name) to session \(session): \(error.description)")
            }
        } ready: { [self] () async throws(LinkError) in
            try await backend.waitUntilConnected(for: question.name, until: deadline)
        }
    }

    private func answer(_ request: ControlAuthorityRequest, from session: SessionID) -> CommandReply {
        let now = clock.now
        let (reply, shouldLog) = control.withLock { $0.answer(request, by: session, at: now) }
        switch request {
        case .take(let name), .takeOver(let name, _):
            guard reply.accepted else { break }
            let grant = ControlState.message(overruledBy: "control authority of \(name.sanitizedLine)")
            pending.takeBack(grant, sparing: session)
        case .release: break
        }
        if shouldLog { log.say("session \(session): \(request.words): \(reply.message)") }
        return reply
    }

    /// What the backend says that the vehicle can do.
    public var vehicleCapabilities: VehicleCapabilities? { backend.link.vehicleCapabilities }
}
