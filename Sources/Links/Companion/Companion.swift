internal import Authority
internal import Synchronization
public import SocketTransport
public import UAVLink

/// The vehicle's end of the channel: takes steering and commands from sessions, decides who flies, and passes on to a backend.
///
/// The backend is itself a ``UAVLink``: ROS on the vehicle, or the simulator in this process.
///
/// ```
///   datagram ─▶ ChannelServer ──steer───▶ authority ─▶ backend.steer    (the channel's thread, no allocation)
///                    │        ──perform─▶ authority ─▶ backend.perform  (the channel's thread; a task where it must wait)
///                    ◀──────── telemetry ── authority ◀ backend.telemetry (a task)
/// ```
public final class Companion: ChannelHandler {
    /// What a companion is told at its start.
    public struct Configuration: Sendable {
        /// The vehicle's name, for example `uav1`.
        public var vehicle: String
        /// How long steering may be silent before the vehicle is stopped.
        public var lease: Duration = ControlAuthority<SessionID>.Times().lease
        /// How long the backend may take to answer a command: the slowest service of the real stack, take-off, takes 0.3 s.
        public var commandTimeout: Duration = .seconds(10)
        /// How long to wait before a backend that could not be reached is tried again.
        public var reconnectPause: Duration = .seconds(1)
        /// How long one such try may take.
        public var connectTimeout: Duration = .seconds(5)
        /// How long the first try may take, and how long a command waits for it: a companion that was started for this very
        /// command has its vehicle within 0.1 s here; more covers a busy computer. After it the reason is known.
        public var reachPatience: Duration = .seconds(2)

        /// The defaults for a vehicle of that name.
        public init(vehicle: String) { self.vehicle = vehicle }
    }

    private struct OpenSessions: Sendable {
        var sessions: Set<SessionID> = []
        var idleSince: MonotonicTime
    }

    private struct Control: Sendable {
        var authority: ControlAuthority<SessionID>
        var names: [SessionID: String] = [:]
        var counts = SteeringCounts()
        /// Of what grounds are told.
        var revision: UInt64 = 0
        var notes = SteeringNotes()
        /// The companion is about to end: nobody takes command any more, and nothing that moves the vehicle begins.
        var isEnding = false
        static let ending = "the companion is ending"

        /// Who a session is, for people.
        func name(of session: SessionID) -> String { names[session] ?? "another ground" }

        mutating func release(by session: SessionID, reason: String, at now: MonotonicTime) -> CommandReply {
            guard authority.pilot?.party == session else {
                let holder = authority.pilot.map { "\($0.name) is" } ?? "nobody is"
                let ending = authority.ended.map { ": \($0.why.words)" } ?? ""
                return CommandReply(accepted: false, message: "you are not in command, \(holder)\(ending)")
            }
            authority.release(by: session, reason: reason, at: now)
            return CommandReply(accepted: true, message: "given back")
        }

        mutating func take(
            by session: SessionID, name: String, force: String?, at now: MonotonicTime
        ) -> CommandReply {
            guard !isEnding else { return CommandReply(accepted: false, message: Self.ending) }
            names[session] = name.harmlessLine
            switch authority.take(by: session, name: name.harmlessLine, force: force, at: now) {
            case .granted: return CommandReply(accepted: true, message: "you are in command")
            case .heldBy(let pilot): return CommandReply(accepted: false, message: Companion.words(pilot, now))
            }
        }
    }

    /// How far the first connection to the backend has come; later ones are the backend's own affair.
    private enum Reach: Sendable {
        /// Also before ``run(publish:)`` has begun: a command may come as soon as the channel listens.
        case trying
        case failed(LinkError)
        case reached
    }

    private let configuration: Configuration
    private let reach: Mutex<Reach>
    private let backend: any UAVLink
    /// The backend, when it takes commands without a task.
    private let promptBackend: (any PromptLink)?
    private let clock: any MonotonicClock
    private let log: CompanionLog
    /// Where the channel's thread shows that it comes round; `nil` when nobody looks.
    private let pulse: ChannelPulse?
    private let control: Mutex<Control>
    private let openSessions: Mutex<OpenSessions>
    /// Makes the channel's thread call ``tick(now:)``.
    private let wakeChannel = Mutex<(@Sendable () -> Void)?>(nil)
    private let shortage = Mutex(RepeatLimit())
    private let brakeFailures = Mutex(RepeatLimit())
    private let survey: SurveyDesk

    /// A companion in front of a backend.
    ///
    /// - Parameters:
    ///   - isReached: whether the backend is connected already; otherwise commands wait until ``run(publish:)`` has reached it.
    ///   - pulse: where the channel's thread shows that it comes round.
    public init(
        _ configuration: Configuration, backend: any UAVLink, isReached: Bool = false, pulse: ChannelPulse? = nil,
        clock: any MonotonicClock = SystemMonotonicClock(), log: CompanionLog = CompanionLog()
    ) {
        reach = Mutex(isReached ? .reached : .trying)
        self.configuration = configuration
        self.backend = backend
        promptBackend = backend as? any PromptLink
        survey = SurveyDesk(backend: backend as? any SurveyLink, clock: clock)
        self.clock = clock
        self.log = log
        self.pulse = pulse
        var times = ControlAuthority<SessionID>.Times()
        times.lease = configuration.lease
        control = Mutex(Control(authority: ControlAuthority(times: times)))
        openSessions = Mutex(OpenSessions(idleSince: clock.now))
    }

    /// What became of the setpoints so far.
    public var counts: SteeringCounts {
        control.withLock { control in
            var counts = control.counts
            counts.lapses = control.authority.lapses
            return counts
        }
    }

    /// Who steers at the moment.
    public var steeringSession: SessionID? {
        control.withLock { $0.authority.isSteering ? $0.authority.pilot?.party : nil }
    }

    /// Who is in command, for people: `anna@laptop`.
    public var pilotName: String? { control.withLock { $0.authority.pilot?.name } }

    /// How long no session has been open; `nil` while one is.
    public var idleTime: Duration? {
        openSessions.withLock { $0.sessions.isEmpty ? clock.now - $0.idleSince : nil }
    }

    /// Tells how to make the channel's thread call ``tick(now:)``.
    func wake(by wake: @escaping @Sendable () -> Void) { wakeChannel.withLock { $0 = wake } }

    // MARK: Backend

    /// Connects the backend, again and again until it answers, and then hands on its telemetry until the task is
    /// cancelled.
    ///
    /// The backend looks after its own connection once it had one: a master or a flight stack that restarts is reached
    /// again by it.
    public func run(publish: @escaping @Sendable (Telemetry) -> Void) async {
        var lastFailure: String?
        while !Task.isCancelled {
            do {
                let isFirst = lastFailure == nil
                try await backend.connect(within: isFirst ? configuration.reachPatience : configuration.connectTimeout)
                log.say("\(configuration.vehicle) is reached over \(backend.kind.rawValue)")
                reach.withLock { $0 = .reached }
                break
            } catch {
                reach.withLock { $0 = .failed(error) }
                // Once for each reason: a master that stays away fills no disk.
                if lastFailure != error.description { log.say("\(error.description); trying again") }
                lastFailure = error.description
                try? await clock.sleep(for: configuration.reconnectPause)
            }
        }
        var watch = VehicleWatch(log: log)
        for await telemetry in backend.telemetry() {
            watch.see(telemetry)
            see(telemetry)
            publish(telemetry)
        }
    }

    /// Returns when the backend has been reached; the companion may have been started a moment ago.
    ///
    /// - Throws: why it could not be reached, which says more than that there is no connection; `timedOut` when the
    ///   command's caller has given up by now.
    private func waitForBackend(for name: String, until deadline: MonotonicTime) async throws(LinkError) {
        // Half as long again: leaving a graph that was not joined takes a moment.
        let patience = clock.now + configuration.reachPatience * 1.5
        while true {
            if clock.now >= deadline { throw Self.late(name) }
            switch reach.withLock({ $0 }) {
            case .reached: return
            case .failed(let error): throw error
            case .trying:
                guard clock.now < patience else {
                    throw LinkError(
                        .notConnected,
                        "the companion has not reached \(configuration.vehicle) over \(backend.kind.rawValue) yet",
                        hint: "is its flight stack running, and is '\(configuration.vehicle)' its name?")
                }
            }
            do { try await clock.sleep(for: Self.reachPoll) } catch { throw LinkError(.cancelled, "cancelled") }
        }
    }

    private static func late(_ name: String) -> LinkError {
        LinkError(
            .timedOut,
            "\(name) was not begun: its deadline passed before the companion had reached the vehicle",
            hint: "send it again")
    }

    /// A backend is reached within 70 ms here: looking so often adds little to it.
    private static let reachPoll: Duration = .milliseconds(5)

    // MARK: ChannelHandler

    /// Passes a setpoint on when its session is in command; on the channel's thread, without allocating.
    public func steer(
        _ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime
    ) -> SteeringVerdict {
        let verdict = control.withLock { control in
            let wasSteering = control.authority.isSteering
            let verdict = control.authority.judgeSetpoint(by: session, isNeutral: setpoint.isNeutral, at: arrivedAt)
            if verdict != .granted { control.counts.refused += 1 }
            if wasSteering != control.authority.isSteering { control.revision += 1 }
            return verdict
        }
        guard verdict == .granted else {
            note(refusal: verdict, of: session, at: arrivedAt)
            return .refused
        }
        do {
            try backend.steer(setpoint)
        } catch {
            note(backendFailure: error, of: session, at: arrivedAt)
            return .refused
        }
        let (isNews, isEnding) = control.withLock { control in
            control.counts.applied += 1
            return (control.notes.note(.steers, of: session, at: arrivedAt), control.isEnding)
        }
        // Whoever ended this companion meanwhile has braked, but perhaps before this setpoint.
        if isEnding, !setpoint.isNeutral { brake() }
        if isNews { log.say(SteeringNotes.Standing.steers.line(of: session)) }
        return .applied
    }

    /// Carries a command out, unless another is in command or its deadline passes before it can be begun. Steering is suspended
    /// from here on by one that takes over, however long its answer takes.
    public func perform(
        _ command: Command, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        let ticket: ControlAuthority<SessionID>.Ticket
        switch begin(command, from: session) {
        case nil:
            let refusal = CommandReply(accepted: false, message: Control.ending)
            answer(.success(refusal))
            return note(.success(refusal), of: command, from: session)
        case .admitted(let admitted): ticket = admitted
        case .heldBy(let pilot):
            let refusal = CommandReply(accepted: false, message: Self.words(pilot, clock.now))
            answer(.success(refusal))
            return note(.success(refusal), of: command, from: session)
        }
        let conclude: @Sendable (Result<CommandReply, LinkError>) -> Void = { [self] result in
            end(ticket, fate: Self.fate(of: result))
            answer(result)
            // Behind the answer: nobody waits for the log.
            note(result, of: command, from: session)
        }
        if let promptBackend, isReached, command.isSmall {
            let timeout = patience(until: deadline)
            guard timeout > .zero else { return conclude(.failure(Self.late(command.name))) }
            return promptBackend.perform(command, within: timeout, answer: conclude)
        }
        Task(priority: command.stopsMotion ? .high : .medium) {
            do throws(LinkError) {
                try await waitForBackend(for: command.name, until: deadline)
                conclude(.success(try await backend.perform(command, within: patience(until: deadline))))
            } catch { conclude(.failure(error)) }
        }
    }

    // MARK: Control

    /// That somebody else flies, and what to do about it.
    private static func words(_ pilot: ControlAuthority<SessionID>.Pilot, _ now: MonotonicTime) -> String {
        "\(pilot.name) has been in command for \(max(0, Int((now - pilot.since).inSeconds))) s; stops are taken from everybody, and "
            + "'uavlink control --take --reason TEXT' takes over"
    }

    /// What an answer says of what the vehicle did.
    private static func fate(of result: Result<CommandReply, LinkError>) -> CommandFate {
        switch result {
        case .success(let reply): reply.accepted ? .accepted : .refused
        // With every other code the vehicle did not act on it (`UAVLink.perform`).
        case .failure(let error): error.code == .timedOut || error.code == .cancelled ? .unknown : .refused
        }
    }

    /// `nil` where this companion is ending: only what stops the vehicle is begun then.
    private func begin(_ command: Command, from session: SessionID) -> CommandAdmission<SessionID>? {
        let now = clock.now
        return control.withLock { control in
            if control.isEnding, command.neededAuthority == .command { return nil }
            let before = control.authority.pilot
            let wasSteering = control.authority.isSteering
            let admission = control.authority.begin(command, by: session, name: control.name(of: session), at: now)
            if control.authority.pilot != before || control.authority.isSteering != wasSteering {
                control.revision += 1
            }
            return admission
        }
    }

    /// Any thread may bring the answer, but only the channel's brakes, in one order with commands and setpoints.
    private func end(_ ticket: ControlAuthority<SessionID>.Ticket, fate: CommandFate) {
        let now = clock.now
        let isDue = control.withLock { control in
            control.authority.end(ticket, fate, at: now)
            return control.authority.deadline != nil
        }
        if isDue { wakeChannel.withLock { $0 }?() }
    }

    /// Takes in what the vehicle does, from any thread: what ``run(publish:)`` does with all telemetry.
    public func see(_ telemetry: Telemetry) { see(VehicleAvailability(telemetry, now: clock.now)) }

    private func see(_ availability: VehicleAvailability) {
        let now = clock.now
        let lost = control.withLock { control -> (SessionID, String)? in
            let before = control.authority.pilot
            control.authority.see(availability, at: now)
            guard control.authority.pilot != before else { return nil }
            control.revision += 1
            return before.map { ($0.party, control.authority.ended?.why.words ?? "") }
        }
        guard let (session, why) = lost else { return }
        wakeChannel.withLock { $0 }?()
        say(.endedByVehicle, "steering of session \(session) has ended: \(why)", of: session)
    }

    /// Says it, no more often than once in a while for each session.
    private func say(_ event: SteeringNotes.Event, _ line: String, of session: SessionID) {
        let now = clock.now
        if control.withLock({ $0.notes.note(event, line, of: session, at: now) }) { log.say(line) }
    }

    /// Somebody wants to be in command, or to be it no longer.
    private func control(_ wish: ControlWish, from session: SessionID) -> CommandReply {
        let now = clock.now
        let (reply, isNews) = control.withLock { control -> (CommandReply, Bool) in
            let wasPilot = control.authority.pilot?.party == session
            control.revision += 1
            switch wish {
            case .take(let name): return (control.take(by: session, name: name, force: nil, at: now), true)
            case .takeOver(let name, let reason):
                return (control.take(by: session, name: name, force: reason, at: now), true)
            case .release(let reason): return (control.release(by: session, reason: reason, at: now), wasPilot)
            }
        }
        // Who had nothing to give back has given nothing back.
        if isNews { log.say("session \(session): \(wish.words): \(reply.message)") }
        return reply
    }

    /// Counts what grounds are told.
    public var controlRevision: UInt64 { control.withLock { $0.revision } }

    /// Who flies, as that session is to be told.
    public func controlStatus(for session: SessionID) -> ControlStatus? {
        control.withLock { control in
            let authority = control.authority
            return ControlStatus(
                pilot: authority.pilot.map {
                    ControlStatus.Pilot(name: $0.name, since: $0.since, isYou: $0.party == session)
                },
                isSteering: authority.isSteering, lastEnding: authority.ended?.why.words ?? "")
        }
    }

    /// Stops what moves under the last setpoint: the vehicle is given a neutral one, at once and behind it on the same connection. A
    /// vehicle that lands, or flies under a newer reference's tracker that takes none, is not disturbed by it.
    private func brake() {
        let now = clock.now
        let neutral = VelocitySetpoint(
            velocityMetresPerSecond: .zero, intendedAt: now, validFor: VelocitySetpoint.longestValidity)
        do throws(LinkError) { try backend.steer(neutral) } catch {
            // It is tried again, for as long as the vehicle's tracker would go on by itself.
            if brakeFailures.withLock({ $0.note(at: now) }) {
                log.say("the vehicle cannot be braked: \(error.description)")
            }
        }
    }

    /// Asks the backend. Maps are large: a few are prepared at a time.
    public func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
    ) {
        // Decided here: it must not wait for the vehicle.
        if case .control(let wish) = question {
            return answer(.success(.control(control(wish, from: session))))
        }
        survey.answer(question, from: session, until: deadline) { [log] result in
            answer(result)
            switch result {
            case .success: log.say("session \(session) was told \(question.name)")
            case .failure(let error):
                log.say("session \(session) was not told \(question.name): \(error.description)")
            }
        } ready: { [self] () async throws(LinkError) in
            try await waitForBackend(for: question.name, until: deadline)
        }
    }

    /// What the backend may take for a command: it must not begin it later than its caller would wait.
    private func patience(until deadline: MonotonicTime) -> Duration {
        min(configuration.commandTimeout, deadline - clock.now)
    }

    private var isReached: Bool {
        switch reach.withLock({ $0 }) {
        case .reached: true
        case .trying, .failed: false
        }
    }

    private func note(_ result: Result<CommandReply, LinkError>, of command: Command, from session: SessionID) {
        switch result {
        case .success(let reply):
            log.say("session \(session): \(command.name) \(reply.accepted ? "accepted" : "refused"): \(reply.message)")
        case .failure(let error): log.say("session \(session): \(command.name) failed: \(error.description)")
        }
    }

    /// Has the backend watch, where it can.
    public func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime) -> Void)?) {
        (backend as? any SetpointWatching)?.watchSetpoints(seen)
    }

    /// Says so on the log.
    public func sessionOpened(_ session: SessionID) {
        _ = openSessions.withLock { $0.sessions.insert(session) }
        log.say("session \(session) opened")
    }

    /// Whoever was in command and is gone is so no longer; a vehicle that still moves is stopped.
    public func sessionClosed(_ session: SessionID) {
        lose(session)
        _ = control.withLock { $0.names.removeValue(forKey: session) }
        openSessions.withLock {
            $0.sessions.remove(session)
            $0.idleSince = clock.now
        }
        control.withLock { $0.notes.forget(session) }
        log.say("session \(session) closed")
    }

    /// Whoever was in command is so no longer; the lease has stopped what moved long before.
    public func sessionSilent(_ session: SessionID) {
        lose(session)
        say(.silent, "session \(session) is silent", of: session)
    }

    private func lose(_ session: SessionID) {
        let now = clock.now
        control.withLock { control in
            guard control.authority.pilot?.party == session else { return }
            control.revision += 1
            control.authority.lose(session, at: now)
        }
    }

    /// Says so on the log.
    public func sessionReturned(_ session: SessionID) { say(.returned, "session \(session) is back", of: session) }

    /// Says so on the log.
    public func noticed(_ notice: ChannelNotice) {
        switch notice {
        case .evicted(let session, let wasOpen, let time):
            let what = wasOpen ? "session \(session), silent" : "the ticket of session \(session), not used"
            log.say("\(what) for \(Int(time.inSeconds)) s, made room for a fresh ticket")
        case .connectionsWait(let reason):
            let isNews = shortage.withLock { $0.note(at: clock.now) }
            if isNews { log.say("TCP connections have to wait: \(reason); raise 'ulimit -n'") }
        }
    }

    /// Stops the vehicle when the lease has lapsed; tells when to be asked next.
    public func tick(now: MonotonicTime) -> MonotonicTime? {
        let (action, lapsed, deadline, summaries) = control.withLock { control in
            let lapses = control.authority.lapses
            let pilot = control.authority.pilot
            let wasSteering = control.authority.isSteering
            let action = control.authority.tick(now: now)
            let hasLapsed = control.authority.lapses != lapses
            // Also with centred sticks: who believes that he steers still would not begin neutral.
            if wasSteering != control.authority.isSteering { control.revision += 1 }
            return (
                action, hasLapsed ? pilot : nil, control.authority.deadline, control.notes.takeSummaries(at: now)
            )
        }
        if action == .brake { brake() }
        for line in summaries { log.say(line) }
        if let lapsed {
            let milliseconds = Int(configuration.lease.inMilliseconds)
            say(
                .lapsed, "session \(lapsed.party) sent no fresh setpoint for \(milliseconds) ms: stopping",
                of: lapsed.party)
        }
        guard let turnsAgain = pulse?.turn(at: now) else { return deadline }
        return min(turnsAgain, deadline ?? turnsAgain)
    }

    /// Stops the vehicle when somebody steers it: the companion is about to end, and nobody is left to hold the lease. From any
    /// thread; it does not wait.
    public func stopSteering() {
        let now = clock.now
        let (pilot, action) = control.withLock { control in
            control.isEnding = true
            control.revision += 1
            let pilot = control.authority.isSteering ? control.authority.pilot : nil
            if let party = control.authority.pilot?.party { control.authority.lose(party, at: now) }
            return (pilot, control.authority.tick(now: now))
        }
        if action == .brake { brake() }
        guard let pilot else { return }
        log.say("ending while session \(pilot.party) steers: stopping")
    }

    private func note(refusal: SetpointVerdict, of session: SessionID, at now: MonotonicTime) {
        guard let standing = SteeringNotes.Standing(refusal) else { return }
        let isNews = control.withLock { $0.notes.note(standing, of: session, at: now) }
        if isNews { log.say(standing.line(of: session)) }
    }

    private func note(backendFailure error: LinkError, of session: SessionID, at now: MonotonicTime) {
        let isNews = control.withLock { control in
            let wasSteering = control.authority.isSteering
            control.authority.setpointFailed(by: session)
            if wasSteering != control.authority.isSteering { control.revision += 1 }
            control.counts.failed += 1
            return control.notes.note(.notPassedOn, of: session, at: now)
        }
        if isNews { log.say("\(SteeringNotes.Standing.notPassedOn.line(of: session)): \(error.description)") }
    }
}

extension Command {
    /// Whether it is encoded within microseconds: a trajectory is not, and would hold up the channel's thread.
    fileprivate var isSmall: Bool { if case .uploadTrajectory = self { false } else { true } }
}

/// What became of setpoints that were fresh and new.
public struct SteeringCounts: Hashable, Sendable {
    /// Passed on to the vehicle.
    public var applied: UInt64 = 0
    /// Not passed on: another session steers, or the lease has lapsed.
    public var refused: UInt64 = 0
    /// Not passed on: the backend could not.
    public var failed: UInt64 = 0
    /// How often the vehicle was stopped because steering fell silent.
    public var lapses: UInt64 = 0

    /// None so far.
    public init() {}
}
