internal import Synchronization
public import SocketTransport
public import UAVLink

/// The vehicle's end of the channel: takes steering and commands from sessions, holds the lease, and passes on to a backend.
///
/// The backend is itself a ``UAVLink``: ROS on the vehicle, or the simulator in this process.
///
/// ```
///   datagram ─▶ ChannelServer ──steer───▶ lease ──▶ backend.steer     (the channel's thread, no allocation)
///                    │        ──perform───────────▶ backend.perform   (the channel's thread; a task where it must wait)
///                    ◀──────── telemetry ───────── backend.telemetry  (a task)
/// ```
public final class Companion: ChannelHandler {
    /// What a companion is told at its start.
    public struct Configuration: Sendable {
        /// The vehicle's name, for example `uav1`.
        public var vehicle: String
        /// How long steering may be silent before the vehicle is told to hover.
        public var lease: Duration = SteeringLease<SessionID>.defaultDuration
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

    private struct Steering: Sendable {
        var lease: SteeringLease<SessionID>
        var counts = SteeringCounts()
        /// Why setpoints are refused at the moment, so that the log tells each reason once.
        var refusal: SteeringLease<SessionID>.Verdict?
        var isBackendFailing = false
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
    private let steering: Mutex<Steering>
    private let openSessions: Mutex<OpenSessions>
    private let survey: SurveyDesk

    /// A companion in front of a backend.
    ///
    /// - Parameter isReached: whether the backend is connected already; otherwise commands wait until ``run(publish:)`` has
    ///   reached it.
    public init(
        _ configuration: Configuration, backend: any UAVLink, isReached: Bool = false,
        clock: any MonotonicClock = SystemMonotonicClock(), log: CompanionLog = CompanionLog()
    ) {
        reach = Mutex(isReached ? .reached : .trying)
        self.configuration = configuration
        self.backend = backend
        promptBackend = backend as? any PromptLink
        survey = SurveyDesk(backend: backend as? any SurveyLink, clock: clock)
        self.clock = clock
        self.log = log
        steering = Mutex(Steering(lease: SteeringLease(duration: configuration.lease)))
        openSessions = Mutex(OpenSessions(idleSince: clock.now))
    }

    /// What became of the setpoints so far.
    public var counts: SteeringCounts { steering.withLock { $0.counts } }

    /// Who steers at the moment.
    public var steeringSession: SessionID? { steering.withLock { $0.lease.holder } }

    /// How long no session has been open; `nil` while one is.
    public var idleTime: Duration? {
        openSessions.withLock { $0.sessions.isEmpty ? clock.now - $0.idleSince : nil }
    }

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

    /// Passes a setpoint on when its session holds the lease; on the channel's thread, without allocating.
    public func steer(
        _ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime
    ) -> SteeringVerdict {
        let verdict = steering.withLock { steering in
            let verdict = steering.lease.renew(by: session, isNeutral: setpoint.isNeutral, at: arrivedAt)
            if verdict != .granted { steering.counts.refused += 1 }
            return verdict
        }
        guard verdict == .granted else {
            note(refusal: verdict, of: session)
            return .refused
        }
        do {
            try backend.steer(setpoint)
        } catch {
            note(backendFailure: error)
            return .refused
        }
        let wasDifferent = steering.withLock { steering in
            steering.counts.applied += 1
            defer {
                steering.refusal = nil
                steering.isBackendFailing = false
            }
            return steering.refusal != nil || steering.isBackendFailing
        }
        if wasDifferent { log.say("session \(session) steers") }
        return .applied
    }

    /// Carries a command out, unless its deadline passes before it can be begun. One that moves the vehicle ends steering
    /// when it is accepted; a stop ends it in any case.
    public func perform(
        _ command: Command, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        if command.stopsMotion { steering.withLock { $0.lease.end() } }
        let conclude: @Sendable (Result<CommandReply, LinkError>) -> Void = { [self] result in
            if case .success(let reply) = result, reply.accepted, command.takesOverFromSteering {
                steering.withLock { $0.lease.end() }
            }
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

    /// Asks the backend. Maps are large: one is prepared at a time, whoever asks.
    public func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
    ) {
        survey.answer(question, until: deadline) { [log] result in
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

    /// Says so on the log; the lease stops the vehicle, as for any silence.
    public func sessionClosed(_ session: SessionID) {
        openSessions.withLock {
            $0.sessions.remove(session)
            $0.idleSince = clock.now
        }
        log.say("session \(session) closed")
    }

    /// Says so on the log; the lease has stopped the vehicle long before.
    public func sessionSilent(_ session: SessionID) { log.say("session \(session) is silent") }

    /// Says so on the log.
    public func sessionReturned(_ session: SessionID) { log.say("session \(session) is back") }

    /// Stops the vehicle when the lease has lapsed; tells when to be asked next.
    public func tick(now: MonotonicTime) -> MonotonicTime? {
        let (lapsed, deadline) = steering.withLock { steering in
            let lapsed = steering.lease.lapse(at: now)
            if lapsed != nil { steering.counts.lapses += 1 }
            return (lapsed, steering.lease.deadline)
        }
        if let lapsed { stop(after: lapsed) }
        return deadline
    }

    /// Stops the vehicle when somebody steers it: the companion is about to end.
    func stopSteering() async {
        let session = steering.withLock { steering in
            defer { steering.lease.end() }
            return steering.lease.holder
        }
        guard let session else { return }
        log.say("ending while session \(session) steers: hovering")
        await hover()
    }

    private func stop(after session: SessionID) {
        let milliseconds = Int(configuration.lease.inMilliseconds)
        log.say("session \(session) sent no fresh setpoint for \(milliseconds) ms: hovering")
        Task(priority: .high) { await hover() }
    }

    private func hover() async {
        do throws(LinkError) {
            let reply = try await backend.perform(.hover, within: configuration.commandTimeout)
            if !reply.accepted { log.say("the vehicle refused to hover: \(reply.message)") }
        } catch {
            // Nothing more can be done from here: the vehicle's tracker stops by itself after 0.5 s.
            log.say("hover could not be commanded: \(error.description)")
        }
    }

    private func note(refusal: SteeringLease<SessionID>.Verdict, of session: SessionID) {
        let isNew = steering.withLock { steering in
            defer { steering.refusal = refusal }
            return steering.refusal != refusal
        }
        guard isNew else { return }
        switch refusal {
        case .granted: break
        case .heldByAnother: log.say("setpoints of session \(session) are refused: another session steers")
        case .notBegun: log.say("setpoints of session \(session) are refused until one is neutral")
        }
    }

    private func note(backendFailure error: LinkError) {
        let isNew = steering.withLock { steering in
            steering.counts.failed += 1
            defer { steering.isBackendFailing = true }
            return !steering.isBackendFailing
        }
        if isNew { log.say("setpoints cannot be passed on: \(error.description)") }
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
