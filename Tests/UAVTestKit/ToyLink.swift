internal import Synchronization
public import UAVLink

/// A link to a ``ToyVehicle`` in this process, as a companion's backend would be for a machine without ROS.
public final class ToyLink: UAVLink {
    private struct State {
        var vehicle = ToyVehicle()
        var isConnected = false
        var isClosed = false
        var isSilent = false
        var commands: [Command] = []
        var setpoints: UInt64 = 0
        var motion: Task<Void, Never>?
    }

    /// Its vehicle's name.
    public let vehicle: String
    private let clock: any MonotonicClock
    private let state = Mutex(State())
    private let broadcast = Broadcast<Telemetry>()

    private static let tick = Duration.milliseconds(10)

    /// A toy on the ground, in the time of `clock`.
    public init(vehicle: String = "toy1", clock: any MonotonicClock) {
        self.vehicle = vehicle
        self.clock = clock
    }

    deinit { state.withLock { $0.motion }?.cancel() }

    // MARK: What a test does

    /// Takes commands and never answers them from now on.
    public func silence() { state.withLock { $0.isSilent = true } }

    /// The commands that reached it.
    public var commands: [Command] { state.withLock { $0.commands } }

    /// The toy as it is now.
    public var toy: ToyVehicle { state.withLock { $0.vehicle } }

    // MARK: UAVLink

    /// The one without a network.
    public var kind: LinkKind { .sim }
    /// Nothing but commands, setpoints and telemetry.
    public var capabilities: LinkCapabilities { LinkCapabilities() }
    /// ``ToyVehicle/capabilities``.
    public var vehicleCapabilities: VehicleCapabilities { ToyVehicle.capabilities }

    /// Switches it on.
    public func connect(within timeout: Duration) async throws(LinkError) {
        try state.withLock { state throws(LinkError) in
            guard !state.isClosed else { throw LinkError(.closed, "the link was closed") }
            guard !state.isConnected else { return }
            state.isConnected = true
            state.motion = Task { [weak self, clock] in
                while !Task.isCancelled {
                    self?.move()
                    do { try await clock.sleep(for: Self.tick) } catch { return }
                }
            }
        }
    }

    private func move() {
        let telemetry = state.withLock { state in
            state.vehicle.step(seconds: Self.tick.inSeconds)
            return state.vehicle.telemetry(name: vehicle, now: clock.now)
        }
        broadcast.send(telemetry)
    }

    /// See ``UAVLink/UAVLink/perform(_:within:)``.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try command.validate()
        if let lack = vehicleCapabilities.refusal(of: command, vehicle: vehicle) { throw lack }
        let begun = clock.now
        let answer = try state.withLock { state throws(LinkError) -> CommandReply? in
            try Self.requireConnected(state)
            state.commands.append(command)
            return state.isSilent ? nil : state.vehicle.handle(command)
        }
        if var answer {
            answer.roundTrip = clock.now - begun
            return answer
        }
        do { try await clock.sleep(for: timeout) } catch { throw LinkError(.cancelled, "the command was cancelled") }
        throw LinkError(.timedOut, "the toy did not answer")
    }

    /// See ``UAVLink/UAVLink/steer(_:)``.
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        guard vehicleCapabilities.steering?.accepts(setpoint) == true else {
            throw vehicleCapabilities.refusal(of: setpoint)
        }
        return try state.withLock { state throws(LinkError) in
            try Self.requireConnected(state)
            state.setpoints += 1
            state.vehicle.steer(setpoint)
            return SteeringReceipt(number: UInt64(state.setpoints), sentAt: clock.now)
        }
    }

    private static func requireConnected(_ state: State) throws(LinkError) {
        if state.isClosed { throw LinkError(.closed, "the link was closed") }
        guard state.isConnected else { throw LinkError(.notConnected, "the toy is switched off") }
    }

    /// See ``UAVLink/UAVLink/telemetry()``.
    public func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    public func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        broadcast.observe(body)
    }

    /// See ``UAVLink/UAVLink/latestTelemetry``.
    public var latestTelemetry: Telemetry? { broadcast.latest }
    /// Whether it is switched on.
    public var quality: LinkQuality {
        state.withLock { state in
            var quality = LinkQuality(isConnected: state.isConnected && !state.isClosed)
            quality.setpointsSent = state.setpoints
            return quality
        }
    }

    /// Switches it off.
    public func close() async {
        let motion = state.withLock { state in
            defer { state.motion = nil }
            state.isClosed = true
            return state.motion
        }
        motion?.cancel()
        await motion?.value
        broadcast.finish()
    }
}
