public import PointCloud
internal import Synchronization
public import UAVLink

/// A simulated vehicle in this process, with the interface of any link.
///
/// The simulator follows the clock (or runs faster or slower) on a dedicated thread; commands and setpoints take effect
/// immediately, under the same lock. There is no lease here: a user of the channel has the companion's, and a direct
/// user has each setpoint's own validity, after which the tracker stops.
public final class SimulatedLink: UAVLink {
    /// How the simulation runs.
    public struct Settings: Sendable {
        /// Simulated seconds per second of the clock.
        public var speed = 1.0
        /// Telemetry updates per second of the clock.
        public var telemetryHertz = 50.0
        /// The clock that the simulator follows.
        public var clock: any MonotonicClock = SystemMonotonicClock()
        /// The map that the vehicle offers as `/<vehicle>/map/points`, metres in `world_origin`.
        public var map: PointCloud?

        /// Real time, 50 Hz.
        public init() {}
    }

    private enum Life { case new, connected, closed }

    private struct State {
        var life = Life.new
        var newestIntention: MonotonicTime?
        var quality = LinkQuality()
        var roundTrips: [Duration] = []
        var thread: SimulationThread?
        var meter: TopicRateMeter
        var rates: Sample<[TopicRate]>?
    }

    /// Round trips kept for the median.
    private static let roundTripWindow = 100
    /// How often the telemetry rate is updated.
    private static let ratePeriod = Duration.seconds(1)
    /// How often a call polls whether a frozen vehicle has resumed.
    private static let frozenPoll = Duration.milliseconds(2)

    /// The kind of this link.
    public let kind = LinkKind.sim
    let settings: Settings
    private let vehicle: RunningSimulator
    private let state: Mutex<State>
    private let broadcast = Broadcast<Telemetry>()

    /// Creates a link to a vehicle in the state of `simulator`; nothing runs before ``connect(within:)``.
    public init(_ simulator: HexacopterSimulator, settings: Settings = Settings()) {
        self.settings = settings
        // There are no topics here; the rate is that of the telemetry itself.
        state = Mutex(State(meter: TopicRateMeter(["telemetry"])))
        vehicle = RunningSimulator(simulator, speed: settings.speed, clock: settings.clock)
    }

    /// Starts the simulation.
    public func connect(within timeout: Duration) async throws(LinkError) {
        try Self.requireNotCancelled()
        let life = state.withLock { state in
            let before = state.life
            if before == .new { state.life = .connected }
            return before
        }
        guard life != .closed else { throw LinkError(.closed, "the simulated link was closed") }
        guard life == .new else { return }
        vehicle.start()
        publish()
        let period = Duration.nanoseconds(Int64(1e9 / min(max(settings.telemetryHertz, 0.1), 1000)))
        let thread = SimulationThread { [weak self] in
            self?.publish()
            return period
        }
        let isClosed = state.withLock { state in
            state.thread = thread
            return state.life == .closed
        }
        if isClosed { await thread.end() }
    }

    /// Executes a command.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try command.validate()
        if case .snapshot(let service) = command { try requireCamera(service) }
        let start = settings.clock.now
        let answer = try await answer(to: ServiceCall(command), deadline: settings.clock.now + timeout)
        let taken = max(.nanoseconds(1), settings.clock.now - start)
        measureRoundTrip()
        return CommandReply(
            accepted: answer.success, message: answer.message, roundTrip: taken, trajectoryModified: answer.isModified)
    }

    /// To the vehicle and back, without the time that it takes to answer a call, such as 0.3 s for a take-off: that is not the link's.
    private func measureRoundTrip() {
        let start = settings.clock.now
        guard vehicle.unlessFrozen({ _ in }) != nil else { return }
        let now = settings.clock.now
        let taken = max(.nanoseconds(1), now - start)
        state.withLock { state in
            (state.quality.roundTrip, state.quality.roundTripAt) = (taken, now)
            if state.roundTrips.count == Self.roundTripWindow { state.roundTrips.removeFirst() }
            state.roundTrips.append(taken)
        }
    }

    /// Steers; an expired setpoint, or one older than its predecessor, is dropped and counted.
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        let now = settings.clock.now
        let left = setpoint.validFor - (now - setpoint.intendedAt)
        let offered: (number: UInt64, isFresh: Bool)? = state.withLock { state in
            guard state.life == .connected else { return nil }
            state.quality.setpointsSent &+= 1
            let number = state.quality.setpointsSent
            if left > .zero, setpoint.intendedAt >= state.newestIntention ?? setpoint.intendedAt {
                state.newestIntention = setpoint.intendedAt
                return (number, true)
            }
            state.quality.setpointsExpired = (state.quality.setpointsExpired ?? 0) &+ 1
            return (number, false)
        }
        guard let offered else { throw notConnected }
        guard offered.isFresh else { return SteeringReceipt(number: offered.number, sentAt: nil) }
        let reference = VelocityReference(
            frame: setpoint.frame == .body ? .bodyUntilted : .current, velocity: setpoint.velocityMetresPerSecond,
            headingRate: setpoint.headingRateRadiansPerSecond)
        let seconds = min(left, setpoint.validFor).inSeconds * vehicle.speed
        let isTaken = vehicle.unlessFrozen { _ = $0.steer(reference, validSeconds: seconds) } != nil
        state.withLock { state in
            if isTaken {
                state.quality.setpointsApplied = (state.quality.setpointsApplied ?? 0) &+ 1
            } else {
                state.quality.setpointsExpired = (state.quality.setpointsExpired ?? 0) &+ 1
            }
        }
        return SteeringReceipt(number: offered.number, sentAt: isTaken ? now : nil)
    }

    /// All telemetry from now on.
    public func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    public func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        broadcast.observe(body)
    }

    /// The newest telemetry.
    public var latestTelemetry: Telemetry? { broadcast.latest }

    /// The quality of the link: ideal, except for the round trips, which are measured.
    public var quality: LinkQuality {
        let isFrozen = vehicle.isFrozen
        return state.withLock { state in
            var quality = state.quality
            quality.isConnected = state.life == .connected && !isFrozen
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

    /// Freezes the simulated time, or lets it continue; while frozen, nothing is answered.
    public func freeze(_ isFrozen: Bool) { vehicle.freeze(isFrozen) }

    /// The loaded trajectory, for code in the vehicle's process.
    public var loadedTrajectory: [Trajectory.Point]? { vehicle.now { $0.loadedTrajectory } }

    /// The vehicle's complete state, for code in its process.
    public var snapshot: VehicleSnapshot { vehicle.now { $0.snapshot } }

    /// Calls a service for which there is no command: constraints, gains, the estimator.
    public func call(_ request: ServiceCall, within timeout: Duration) async throws(LinkError) -> ServiceAnswer {
        try await answer(to: request, deadline: settings.clock.now + timeout)
    }

    /// Accesses the simulator once it is not frozen.
    func ask<Value: Sendable>(
        within timeout: Duration, _ body: (inout HexacopterSimulator) -> Value
    ) async throws(LinkError) -> Value {
        let deadline = settings.clock.now + timeout
        while true {
            try Self.requireNotCancelled()
            try requireConnected()
            if let value = vehicle.unlessFrozen(body) { return value }
            try await sleep(Self.frozenPoll, deadline: deadline)
        }
    }

    // MARK: Inside

    private func requireCamera(_ service: String) throws(LinkError) {
        let known = vehicle.now { $0.configuration.snapshotService }
        guard service == known else {
            throw LinkError(
                .serviceMissing, "the simulated vehicle has no service '\(service)'", hint: "use '\(known)'")
        }
    }

    private func requireConnected() throws(LinkError) {
        let life = state.withLock { $0.life }
        guard life != .new else { throw notConnected }
        guard life != .closed else { throw LinkError(.closed, "the simulated link was closed") }
    }

    private func answer(
        to request: ServiceCall, deadline: MonotonicTime
    ) async throws(LinkError) -> ServiceAnswer {
        while true {
            try Self.requireNotCancelled()
            try requireConnected()
            guard let answer = vehicle.unlessFrozen({ $0.call(request) }) else {
                try await sleep(Self.frozenPoll, deadline: deadline)
                continue
            }
            try await block(.seconds(answer.answerDelaySeconds / vehicle.speed), deadline: deadline)
            return answer
        }
    }

    /// Blocks the caller as the real service does. The vehicle has already acted, so a cancelled caller gets its answer
    /// immediately; only the deadline can leave it without one.
    private func block(_ time: Duration, deadline: MonotonicTime) async throws(LinkError) {
        guard time > .zero else { return }
        do throws(LinkError) { try await sleep(time, deadline: deadline) } catch {
            if error.code == .timedOut { throw error }
        }
    }

    private func sleep(_ time: Duration, deadline: MonotonicTime) async throws(LinkError) {
        let left = deadline - settings.clock.now
        guard left > .zero else { throw LinkError(.timedOut, "the simulated vehicle did not answer in time") }
        do {
            try await settings.clock.sleep(for: min(time, left))
        } catch {
            throw LinkError(.cancelled, "cancelled")
        }
        guard time <= left else { throw LinkError(.timedOut, "the simulated vehicle did not answer in time") }
    }

    private func publish() {
        let now = settings.clock.now
        guard state.withLock({ $0.life == .connected }),
            var telemetry = vehicle.unlessFrozen({ $0.telemetry(at: now) })
        else { return }
        telemetry.topicRates = state.withLock { state in
            state.quality.lastTelemetryAt = now
            state.meter.count(0, at: now)
            if state.rates.map({ now - $0.at >= Self.ratePeriod }) ?? true, let rates = state.meter.rates(at: now) {
                state.rates = Sample(rates, at: now)
            }
            return state.rates
        }
        broadcast.send(telemetry)
    }

    private var notConnected: LinkError {
        let isClosed = state.withLock { $0.life == .closed }
        return isClosed
            ? LinkError(.closed, "the simulated link was closed")
            : LinkError(.notConnected, "the simulated link is not connected", hint: "connect first")
    }

    private static func requireNotCancelled() throws(LinkError) {
        if Task.isCancelled { throw LinkError(.cancelled, "cancelled") }
    }
}
