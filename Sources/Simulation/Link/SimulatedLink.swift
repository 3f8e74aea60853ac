internal import Synchronization
public import UAVLink

/// A simulated vehicle in this process, as a link like any other.
///
/// The simulator follows the clock (or goes faster or slower than it) on a thread of its own; commands and setpoints
/// act on it at once, under the same lock. There is no lease here: who steers through a channel has the companion's, and
/// who steers directly has each setpoint's own validity, after which the tracker stops.
public final class SimulatedLink: UAVLink {
    /// How the simulation runs.
    public struct Settings: Sendable {
        /// Simulated seconds in a second of the clock.
        public var speed = 1.0
        /// Telemetry updates in a second of the clock.
        public var telemetryHertz = 50.0
        /// The clock that it follows.
        public var clock: any MonotonicClock = SystemMonotonicClock()

        /// Real time, 50 Hz.
        public init() {}
    }

    private enum Life { case new, connected, closed }

    private struct State: ~Copyable {
        var simulator: HexacopterSimulator
        var life = Life.new
        /// The clock's time at which the simulator's zero would have been, for what was not left out.
        var origin = MonotonicTime(nanoseconds: 0)
        var isFrozen = false
        var newestIntention: MonotonicTime?
        var quality = LinkQuality()
        var roundTrips: [Duration] = []
        var thread: SimulationThread?
    }

    /// The most that is caught up with in one go, seconds of the clock: after a suspension the vehicle goes on from where
    /// it was instead of flying minutes in an instant.
    private static let longestCatchUp = 0.25
    /// Round trips kept for the median.
    private static let keptRoundTrips = 100
    /// How often a call looks whether a frozen vehicle goes on.
    private static let frozenPoll = Duration.milliseconds(2)

    /// What carries this link.
    public let kind = LinkKind.sim
    private let settings: Settings
    private let state: Mutex<State>
    private let broadcast = Broadcast<Telemetry>()

    /// A link to a vehicle that begins where `simulator` is; nothing runs before ``connect(within:)``.
    public init(_ simulator: HexacopterSimulator, settings: Settings = Settings()) {
        self.settings = settings
        state = Mutex(State(simulator: simulator))
    }

    /// Starts the simulation.
    public func connect(within timeout: Duration) async throws(LinkError) {
        try Self.requireNotCancelled()
        let now = settings.clock.now
        let life = state.withLock { state in
            let before = state.life
            guard before == .new else { return before }
            state.life = .connected
            state.origin = now
            state.quality.isConnected = true
            return before
        }
        guard life != .closed else { throw LinkError(.closed, "the simulated vehicle was switched off") }
        guard life == .new else { return }
        publish()
        let hertz = min(max(settings.telemetryHertz, 0.1), 1000)
        let thread = SimulationThread(period: .nanoseconds(Int64(1e9 / hertz))) { [weak self] in self?.publish() }
        let isClosed = state.withLock { state in
            state.thread = thread
            return state.life == .closed
        }
        if isClosed { await thread.end() }
    }

    /// Asks the vehicle for something.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try command.validate()
        let start = settings.clock.now
        let answer = try await answer(to: ServiceCall(command), deadline: ContinuousClock.now + timeout)
        let taken = max(.nanoseconds(1), settings.clock.now - start)
        state.withLock { state in
            state.quality.roundTrip = taken
            if state.roundTrips.count == Self.keptRoundTrips { state.roundTrips.removeFirst() }
            state.roundTrips.append(taken)
        }
        return CommandReply(
            accepted: answer.success, message: answer.message, roundTrip: taken, trajectoryModified: answer.isModified)
    }

    /// Steers; a setpoint that is older than it is good for, or than one that came before, is refused and counted.
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) {
        try setpoint.validate()
        let now = settings.clock.now
        let isConnected = state.withLock { state in
            guard state.life == .connected else { return false }
            state.quality.setpointsSent &+= 1
            let left = setpoint.validFor - (now - setpoint.intendedAt)
            let isOld = state.newestIntention.map { setpoint.intendedAt < $0 } ?? false
            guard left > .zero, !isOld, !state.isFrozen else {
                state.quality.setpointsStale = (state.quality.setpointsStale ?? 0) &+ 1
                return true
            }
            state.newestIntention = setpoint.intendedAt
            state.quality.setpointsApplied = (state.quality.setpointsApplied ?? 0) &+ 1
            catchUp(&state, now: now)
            let reference = VelocityReference(
                frame: setpoint.frame == .body ? .bodyUntilted : .current, velocity: setpoint.velocityMetresPerSecond,
                headingRate: setpoint.headingRateRadiansPerSecond)
            state.simulator.steer(reference, validSeconds: min(left, setpoint.validFor).inSeconds * settings.speed)
            return true
        }
        guard isConnected else { throw notConnected }
    }

    /// Every change of telemetry from now on.
    public func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// The newest telemetry.
    public var latestTelemetry: Telemetry? { broadcast.latest }

    /// How well the link works: perfectly, but for the round trips of the calls.
    public var quality: LinkQuality {
        state.withLock { state in
            var quality = state.quality
            quality.isConnected = state.life == .connected && !state.isFrozen
            let sorted = state.roundTrips.sorted()
            if !sorted.isEmpty {
                quality.roundTripMedian = sorted[sorted.count / 2]
                quality.roundTripP99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
            }
            quality.clockOffset = .zero
            quality.clockOffsetBound = .zero
            quality.telemetryRateHertz = state.life == .connected ? settings.telemetryHertz : nil
            return quality
        }
    }

    /// Ends the simulation.
    public func close() async {
        let thread = state.withLock { state in
            state.life = .closed
            return state.thread
        }
        await thread?.end()
        broadcast.finish()
    }

    /// Stops the vehicle's world where it is, and lets it go on: while it stands still nothing is answered.
    public func freeze(_ isFrozen: Bool) {
        let now = settings.clock.now
        state.withLock { state in
            catchUp(&state, now: now)
            if state.isFrozen, !isFrozen { state.origin = origin(of: state.simulator, now: now) }
            state.isFrozen = isFrozen
        }
    }

    /// Everything about the vehicle, for who shares its process.
    public var snapshot: VehicleSnapshot { state.withLock { $0.simulator.snapshot } }

    /// Asks for something that no command stands for: constraints, gains, the estimator.
    public func call(_ request: ServiceCall, within timeout: Duration) async throws(LinkError) -> ServiceAnswer {
        try await answer(to: request, deadline: ContinuousClock.now + timeout)
    }

    // MARK: Inside

    private func answer(
        to request: ServiceCall, deadline: ContinuousClock.Instant
    ) async throws(LinkError) -> ServiceAnswer {
        while true {
            try Self.requireNotCancelled()
            let now = settings.clock.now
            let (life, answer) = state.withLock { state -> (Life, ServiceAnswer?) in
                guard state.life == .connected, !state.isFrozen else { return (state.life, nil) }
                catchUp(&state, now: now)
                return (.connected, state.simulator.call(request))
            }
            guard life != .new else { throw notConnected }
            guard life != .closed else { throw LinkError(.closed, "the simulated vehicle was switched off") }
            guard let answer else {
                try await sleep(Self.frozenPoll, deadline: deadline)
                continue
            }
            if answer.blocksSeconds > 0 {
                try await sleep(.seconds(answer.blocksSeconds / settings.speed), deadline: deadline)
            }
            return answer
        }
    }

    private func sleep(_ time: Duration, deadline: ContinuousClock.Instant) async throws(LinkError) {
        let left = deadline - ContinuousClock.now
        guard left > .zero else { throw LinkError(.timedOut, "the simulated vehicle did not answer in time") }
        do {
            try await Task.sleep(for: min(time, left))
        } catch {
            throw LinkError(.cancelled, "cancelled")
        }
        guard time <= left else { throw LinkError(.timedOut, "the simulated vehicle did not answer in time") }
    }

    private func publish() {
        let now = settings.clock.now
        let telemetry: Telemetry? = state.withLock { state in
            guard state.life == .connected, !state.isFrozen else { return nil }
            catchUp(&state, now: now)
            state.quality.lastTelemetryAt = now
            return state.simulator.telemetry(at: now)
        }
        if let telemetry { broadcast.send(telemetry) }
    }

    /// Steps the simulator to where the clock is.
    private func catchUp(_ state: inout State, now: MonotonicTime) {
        guard !state.isFrozen, state.life == .connected else { return }
        let perSecond = Double(HexacopterSimulator.stepsPerSecond)
        let due = ((now - state.origin).inSeconds * settings.speed - state.simulator.seconds) * perSecond
        let most = Self.longestCatchUp * settings.speed * perSecond
        guard due > 0 else { return }
        for _ in 0..<Int(min(due, most)) { state.simulator.step() }
        if due > most { state.origin = origin(of: state.simulator, now: now) }
    }

    private func origin(of simulator: HexacopterSimulator, now: MonotonicTime) -> MonotonicTime {
        now - .nanoseconds(Int64(simulator.seconds / settings.speed * 1e9))
    }

    private var notConnected: LinkError {
        let isClosed = state.withLock { $0.life == .closed }
        return isClosed
            ? LinkError(.closed, "the simulated vehicle was switched off")
            : LinkError(.notConnected, "the simulated vehicle is not switched on", hint: "connect first")
    }

    private static func requireNotCancelled() throws(LinkError) {
        if Task.isCancelled { throw LinkError(.cancelled, "cancelled") }
    }
}
