internal import Synchronization
public import UAVLink

/// A link whose vehicle takes setpoints from an instant on, and whose other end decides who flies.
public final class GatedLink: ControlledLink {
    private struct State {
        var wishes: [ControlAuthorityRequest] = []
        var commands: [Command] = []
        var answer = CommandReply(accepted: true, message: "")
        var isSilent = false
        var setpoints: [VelocitySetpoint] = []
        var takesFrom: MonotonicTime?
        var frozen: Telemetry?
        var flight: FlightState?
    }

    private let state = Mutex(State())
    private let clock: FakeClock
    /// What it claims to be.
    public let kind = LinkKind.udp

    /// Control authority only.
    public var capabilities: LinkCapabilities { LinkCapabilities(control: self) }
    /// It does not say.
    public var knownStops: UInt64? { nil }
    /// Everything.
    public var vehicleCapabilities: VehicleCapabilities { .mrs }

    /// Makes one that takes no setpoint yet.
    public init(clock: FakeClock) { self.clock = clock }

    /// Every setpoint that came.
    public var setpoints: [VelocitySetpoint] { state.withLock { $0.setpoints } }

    /// Takes setpoints from so long after now on.
    public func take(after duration: Duration) { state.withLock { $0.takesFrom = clock.now + duration } }

    /// The vehicle tells that it does that.
    public func see(_ flight: FlightState) { state.withLock { $0.flight = flight } }

    /// No telemetry comes any more.
    public func freeze() {
        let telemetry = latestTelemetry
        state.withLock { $0.frozen = telemetry }
    }

    /// Its control status, with the pilot steering from the instant on.
    public var latestTelemetry: Telemetry? {
        let now = clock.now
        return state.withLock { state in
            if let frozen = state.frozen { return frozen }
            var telemetry = Telemetry(vehicle: "uav1")
            let pilot = ControlStatus.Pilot(name: "anna", since: now, isYou: true)
            let steers = state.takesFrom.map { $0 <= now } ?? false
            telemetry.flight = state.flight.map {
                Sample(
                    FlightStatus(
                        state: $0, isArmed: false, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
                    at: now)
            }
            telemetry.control = Sample(ControlStatus(pilot: pilot, isSteering: steers), at: now)
            return telemetry
        }
    }

    /// What was asked of its control.
    public var wishes: [ControlAuthorityRequest] { state.withLock { $0.wishes } }
    /// The commands that came.
    public var commands: [Command] { state.withLock { $0.commands } }
    /// Answers every wish so from now on.
    public func answer(_ reply: CommandReply) { state.withLock { $0.answer = reply } }

    /// Answers no wish from now on.
    public func fallSilent() { state.withLock { $0.isSilent = true } }

    /// Answers as ``answer(_:)`` says.
    public func control(_ wish: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError)
        -> CommandReply
    {
        let answer = state.withLock { state in
            state.wishes.append(wish)
            return state.isSilent ? nil : state.answer
        }
        if let answer { return answer }
        try? await clock.sleep(for: timeout)
        throw LinkError(.timedOut, "no answer")
    }

    /// Records the setpoint.
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        let number = state.withLock { state in
            state.setpoints.append(setpoint)
            return state.setpoints.count
        }
        return SteeringReceipt(number: UInt64(number), sentAt: nil)
    }

    /// Always connected.
    public var quality: LinkQuality { LinkQuality(isConnected: true) }
    /// Does nothing.
    public func connect(within timeout: Duration) async throws(LinkError) {}
    /// Records and accepts the command.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        state.withLock { $0.commands.append(command) }
        return CommandReply(accepted: true, message: "")
    }
    /// Ends at once.
    public func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    /// Does nothing.
    public func close() async {}
}
