import Synchronization
public import UAVLink

/// A link to a ``FakeVehicle`` in this process that a test scripts: what it answers, when, and what it was asked.
public final class FakeLink: UAVLink {
    /// What happens to a command instead of the vehicle's own answer.
    public enum Script: Sendable {
        /// This answer, without asking the vehicle.
        case reply(CommandReply)
        /// This failure.
        case fail(LinkError)
        /// No answer, ever.
        case silence
        /// The vehicle's own answer, that much later.
        case delay(Duration)
    }

    /// Something that was asked of the link and passed its checks.
    public enum Asked: Hashable, Sendable {
        /// A command.
        case command(Command)
        /// A setpoint.
        case setpoint(VelocitySetpoint)
    }

    enum Phase {
        case idle, connected, closed
    }

    struct State {
        var phase = Phase.idle
        var vehicle: FakeVehicle
        var asked: [Asked] = []
        var sequences: [CommandSequence?] = []
        var scripts: [Script] = []
        var standing: Script?
        var connectFailure: LinkError?
        var steeringFailure: LinkError?
        var meanwhile: (@Sendable () -> Void)?
        var waiting: [UInt64: CheckedContinuation<Result<Void, LinkError>, Never>] = [:]
        var endedEarly: [UInt64: Result<Void, LinkError>] = [:]
        var nextWait: UInt64 = 0
        var isVehicleSilent = false
        var motion: Task<Void, Never>?
        var quality = LinkQuality()
        var survey = Survey()
        var capabilities = VehicleCapabilities.mrs
        var stops: UInt64?
    }

    /// What the link answers to the questions of ``UAVLink/SurveyLink``.
    public struct Survey: Sendable {
        /// What the vehicle allows.
        public var envelope = FlightEnvelope(
            limits: .medium,
            worldOrigin: .init(
                latitudeDegrees: 47.397743, longitudeDegrees: 8.545594, altitudeMetres: 340, source: .transformer))
        /// Its own world; at first it names none.
        public var world = VehicleWorld(.noParameter)
        /// The fingerprints with which its world was asked for, in order.
        public var worldsKnown: [UInt64] = []
        /// The maps by their topics, as PCD files.
        public var maps: [String: [UInt8]] = [:]
        /// Topics on which no map ever comes: who asks for it waits for ever.
        public var silentTopics: Set<String> = []
        /// Topics of whose maps a half comes, and no more.
        public var stuckTopics: Set<String> = []
        /// Every question fails so, when it is not `nil`.
        public var failure: LinkError?
        /// The maps that were asked for, in order.
        public var requests: [MapRequest] = []

        /// The flight stack's default limits in the standard world, and no maps.
        public init() {}
    }

    /// What carries this link, as the test said.
    public let kind: LinkKind
    let clock: any MonotonicClock
    let speed: Double
    let broadcast = Broadcast<Telemetry>()
    let state: Mutex<State>

    /// How often the vehicle moves and tells of itself.
    static let tick = Duration.milliseconds(5)

    /// A link whose time is `clock`'s; without one, of a clock that stands still for ever.
    ///
    /// - Parameter speed: how many seconds the vehicle lives in a second of the clock.
    public init(
        _ vehicle: FakeVehicle = FakeVehicle(), kind: LinkKind = .sim, clock: any MonotonicClock = FakeClock(),
        speed: Double = 1
    ) {
        self.kind = kind
        self.clock = clock
        self.speed = speed
        state = Mutex(State(vehicle: vehicle))
    }

    deinit { state.withLock { $0.motion }?.cancel() }

    // MARK: What a test does

    /// Everything that was asked and passed the checks, in order.
    public var asked: [Asked] { state.withLock { $0.asked } }

    /// The commands among ``asked``.
    public var commands: [Command] {
        asked.compactMap { if case .command(let command) = $0 { command } else { nil } }
    }

    /// The sequence of each of ``commands``.
    public var sequences: [CommandSequence?] { state.withLock { $0.sequences } }

    /// The setpoints among ``asked``.
    public var setpoints: [VelocitySetpoint] {
        asked.compactMap { if case .setpoint(let setpoint) = $0 { setpoint } else { nil } }
    }

    /// The vehicle as it is now.
    public var vehicle: FakeVehicle { state.withLock { $0.vehicle } }

    /// What becomes of the next commands, one each; after them the vehicle answers again.
    public func script(_ scripts: Script...) { state.withLock { $0.scripts += scripts } }

    /// What becomes of every command from now on that ``script(_:)`` says nothing of; `nil` lets the vehicle answer.
    public func always(_ script: Script?) { state.withLock { $0.standing = script } }

    /// Makes ``connect(within:)`` fail; `nil` lets it work again.
    public func failConnecting(with error: LinkError?) { state.withLock { $0.connectFailure = error } }

    /// Setpoints fail with that from now on; `nil`: they are taken again.
    public func failSteering(with error: LinkError?) { state.withLock { $0.steeringFailure = error } }

    /// Runs `body` while the next setpoint is on its way.
    public func onSteer(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.meanwhile = body } }

    /// Stops or resumes the vehicle's own telemetry (and its motion).
    public func setVehicleSilent(_ isSilent: Bool) { state.withLock { $0.isVehicleSilent = isSilent } }

    /// Sends telemetry as if it had come from the vehicle.
    public func publish(_ telemetry: Telemetry) { broadcast.send(telemetry) }

    /// What it answers to questions, and which maps it was asked for.
    public var survey: Survey {
        get { state.withLock { $0.survey } }
        set { state.withLock { $0.survey = newValue } }
    }

    /// What its vehicle can do; at first everything.
    public var vehicleCapabilities: VehicleCapabilities {
        get { state.withLock { $0.capabilities } }
        set { state.withLock { $0.capabilities = newValue } }
    }

    /// Sets what ``quality`` tells.
    public func setQuality(_ quality: LinkQuality) { state.withLock { $0.quality = quality } }

    // MARK: UAVLink

    /// See ``UAVLink/UAVLink/connect(within:)``.
    public func connect(within timeout: Duration) async throws(LinkError) {
        try state.withLock { state throws(LinkError) in
            if let failure = state.connectFailure { throw failure }
            guard state.phase != .closed else { throw LinkError(.closed, "the link was closed") }
            guard state.phase == .idle else { return }
            state.phase = .connected
            state.quality.isConnected = true
            state.motion = Task { [weak self, clock] in
                while !Task.isCancelled {
                    self?.move()
                    do { try await clock.sleep(for: Self.tick) } catch { return }
                }
            }
        }
        move()
    }

    /// See ``UAVLink/UAVLink/perform(_:within:)``.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try command.validate()
        if let lack = vehicleCapabilities.refusal(of: command, vehicle: "uav1") { throw lack }
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the command was cancelled") }
        let asked = clock.now
        let script = try state.withLock { state throws(LinkError) -> Script? in
            try Self.requireConnected(state.phase)
            state.asked.append(.command(command))
            state.sequences.append(.current)
            if command.stopsOrLands { state.countStop() }
            return state.scripts.isEmpty ? state.standing : state.scripts.removeFirst()
        }
        switch script {
        case .reply(let reply): return reply
        case .fail(let error): throw error
        case .silence: try await wait(for: nil, timeout: timeout)
        case .delay(let delay): try await wait(for: delay, timeout: timeout)
        case nil: break
        }
        var reply = state.withLock { $0.vehicle.handle(command) }
        reply.roundTrip = clock.now - asked
        return reply
    }

    /// See ``UAVLink/UAVLink/steer(_:)``.
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        let vehicle = vehicleCapabilities
        guard vehicle.steering?.accepts(setpoint) == true else { throw vehicle.refusal(of: setpoint) }
        let meanwhile = state.withLock { state in
            defer { state.meanwhile = nil }
            return state.meanwhile
        }
        meanwhile?()
        return try state.withLock { state throws(LinkError) in
            try Self.requireConnected(state.phase)
            if let failure = state.steeringFailure { throw failure }
            state.asked.append(.setpoint(setpoint))
            state.quality.setpointsSent += 1
            state.vehicle.steer(setpoint)
            return SteeringReceipt(number: state.quality.setpointsSent, sentAt: clock.now)
        }
    }

    /// See ``UAVLink/UAVLink/telemetry()``.
    public func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    public func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        broadcast.observe(body)
    }

    /// See ``UAVLink/UAVLink/latestTelemetry``.
    public var latestTelemetry: Telemetry? { broadcast.latest }

    /// See ``UAVLink/UAVLink/quality``.
    public var quality: LinkQuality { state.withLock { $0.quality } }

    /// See ``UAVLink/UAVLink/close()``.
    public func close() async {
        let (motion, waiting) = state.withLock { state in
            defer {
                state.phase = .closed
                state.quality.isConnected = false
                state.motion = nil
                state.waiting = [:]
            }
            return (state.motion, Array(state.waiting.values))
        }
        motion?.cancel()
        for waiter in waiting { waiter.resume(returning: .failure(LinkError(.closed, "the link was closed"))) }
        await motion?.value
        broadcast.finish()
    }

    // MARK: Inside

    /// Answers a question as ``survey`` says.
    func ask<Value>(_ body: (inout Survey) throws(LinkError) -> Value) throws(LinkError) -> Value {
        try state.withLock { state throws(LinkError) in
            try Self.requireConnected(state.phase)
            if let failure = state.survey.failure { throw failure }
            return try body(&state.survey)
        }
    }

    static func requireConnected(_ phase: Phase) throws(LinkError) {
        switch phase {
        case .connected: return
        case .idle: throw LinkError(.notConnected, "the link is not connected", hint: "connect first")
        case .closed: throw LinkError(.closed, "the link was closed")
        }
    }

    /// Moves the vehicle one tick on and tells of it.
    func move() {
        let telemetry = state.withLock { state -> Telemetry? in
            guard state.phase == .connected, !state.isVehicleSilent else { return nil }
            state.vehicle.step(seconds: Self.tick.inSeconds * speed)
            let now = clock.now
            state.quality.lastTelemetryAt = now
            return state.vehicle.telemetry(name: "uav1", now: now)
        }
        if let telemetry { broadcast.send(telemetry) }
    }
}
