import UAVLink

/// A flight stack with the manners of the real one where they matter: it takes references only while it flies normally, its
/// tracker stops by itself half a second after the last velocity, services take their time, may refuse or hang, others may land it,
/// send it home or fly it by radio, it may be out of reach, stand still, and restart. What it is commanded, it reports to the judge.
final class ModelVehicle: CallbackLink, @unchecked Sendable {
    enum Mode: Equatable {
        case hovering
        /// The setpoint's number; 0 is neutral.
        case velocity(Int, since: MonotonicTime)
        case goingTo(begunAt: MonotonicTime)
        case landing(since: MonotonicTime)
        case landed
        case radio(Radio)
        /// The autopilot brings it home, and lands it there.
        case returning(since: MonotonicTime)
        /// The flight stack was restarted in flight: no tracker of it is active, the autopilot holds the position, and a pilot lands it by
        /// radio.
        case restarted(since: MonotonicTime)

        /// Setpoints move it.
        var takesReferences: Bool {
            switch self {
            case .hovering, .velocity, .goingTo: true
            // Callbacks are disabled, or another tracker is at work.
            case .landing, .landed, .radio, .returning, .restarted: false
            }
        }
    }

    /// What the flight stack does while a pilot flies by radio.
    enum Radio: Equatable {
        /// MRS's: it switches its output off, and its state is that of a vehicle on the ground. Nothing in the air gives it the vehicle
        /// again, so the pilot lands and disarms it.
        case outputOff
        /// Another one's: its tracker waits, and goes on when it is given the vehicle back.
        case outputOn
    }

    /// How much of it is reached.
    enum Reach {
        case all
        /// roscore is gone: what is connected stays so, but services are not found.
        case noServices
        /// The flight stack, or the way to it, is gone.
        case nothing
    }

    private unowned(unsafe) let world: World
    private(set) var mode = Mode.hovering
    /// How a service fares, from now on.
    var serviceDelay: ClosedRange<Int> = 2...20
    var refusesShare = 0.0
    var hangsShare = 0.0
    var reach = Reach.all
    private var pausedUntil: MonotonicTime?
    private var waiting: [() -> Void] = []
    /// How often the flight stack was restarted: what one began, the next knows nothing of.
    private var restarts = 0

    init(_ world: World) { self.world = world }

    let kind = LinkKind.ros
    var capabilities: LinkCapabilities { LinkCapabilities(callbacks: self) }
    var vehicleCapabilities: VehicleCapabilities { .mrs }
    var latestTelemetry: Telemetry? { nil }
    var quality: LinkQuality { LinkQuality(isConnected: true) }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func close() async {}
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        throw LinkError(.internalFault, "only at once")
    }

    // MARK: References

    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        guard reach != .nothing else { throw LinkError(.notConnected, "the vehicle does not listen") }
        let number = Int(setpoint.velocityMetresPerSecond.x)
        // Pilots here steer in the body's axes, so what comes in the world's is the companion's own.
        if setpoint.frame == .world {
            world.judge.braked(in: mode, at: world.now)
        } else {
            world.judge.given(setpoint: number, to: mode, at: world.now)
        }
        whenItRuns { [self] in
            if mode.takesReferences { mode = .velocity(number, since: world.now) }
        }
        return SteeringReceipt(number: UInt64(max(0, number)), sentAt: world.now)
    }

    private static let trackerTimeout = Duration.milliseconds(500).nanoseconds
    private static let descent = Duration.milliseconds(1500).nanoseconds

    /// The tracker's own time-out, and the ground.
    func passTime() {
        if let pausedUntil, pausedUntil <= world.now {
            self.pausedUntil = nil
            // In the order in which it came.
            let waiting = waiting
            self.waiting = []
            for body in waiting { body() }
        }
        guard runs, let nextDeadline, nextDeadline <= world.now else { return }
        switch mode {
        case .landing, .restarted: mode = .landed
        case .returning: mode = .landing(since: world.now)
        default: mode = .hovering
        }
    }

    var nextDeadline: MonotonicTime? {
        if let pausedUntil { return pausedUntil }
        return switch mode {
        case .velocity(_, let since): MonotonicTime(nanoseconds: since.nanoseconds + Self.trackerTimeout)
        case .landing(let since), .returning(let since):
            MonotonicTime(nanoseconds: since.nanoseconds + Self.descent)
        case .restarted(let since): MonotonicTime(nanoseconds: since.nanoseconds + Self.descent)
        case .hovering, .goingTo, .landed, .radio: nil
        }
    }

    /// It moves under a setpoint.
    var movesUnderSetpoint: Int? {
        if case .velocity(let number, _) = mode, number != 0 { number } else { nil }
    }

    // MARK: Services

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        guard let request = world.judge.begun(command, at: world.now) else { return }
        let begunAt = world.now
        let begunIn = restarts
        guard reach == .all else {
            let error = LinkError(.rosMasterUnreachable, "no service is found")
            return world.after(world.dice.milliseconds(0...20)) { answer(.failure(error)) }
        }
        let way = world.dice.milliseconds(serviceDelay)
        let refuses = world.dice.hits(refusesShare)
        let hangs = world.dice.hits(hangsShare)
        let call = ServiceCallInProgress(answer)
        // No caller waits longer than its timeout.
        world.after(timeout) { call.end(.failure(LinkError(.timedOut, "the service has not answered"))) }
        // Half of it until it acts, half until the answer is back.
        world.after(way / 2) { [self] in
            whenItRuns { [self] in
                guard restarts == begunIn else { return call.end(.failure(Self.connectionLost)) }
                let accepted = !refuses && act(on: command, begunAt: begunAt)
                world.judge.executed(request, accepted: accepted, in: mode, at: world.now)
                guard !hangs else { return }
                world.after(way / 2) { [self] in
                    guard restarts == begunIn else { return call.end(.failure(Self.connectionLost)) }
                    call.end(.success(CommandReply(accepted: accepted, message: "")))
                }
            }
        }
    }

    /// As `ROSLink` reports a service that ends before it answers: the outcome is unknown.
    private static let connectionLost = LinkError(.timedOut, "the service has closed the connection")

    private func act(on command: Command, begunAt: MonotonicTime) -> Bool {
        switch (command, mode) {
        case (.land, .hovering), (.land, .velocity), (.land, .goingTo): mode = .landing(since: world.now)
        case (.goTo, .hovering), (.goTo, .velocity), (.goTo, .goingTo): mode = .goingTo(begunAt: begunAt)
        // The worst stack there is: it breaks a landing off.
        case (.hover, .landing), (.hover, .hovering), (.hover, .velocity), (.hover, .goingTo): mode = .hovering
        case (.takeoff, .landed): mode = .hovering
        default: return false
        }
        return true
    }

    // MARK: Standing still

    /// SIGSTOP: what reaches it meanwhile waits in its sockets.
    func pause(for duration: Duration) {
        guard runs else { return }
        world.judge.note("flight stack stands still for \(duration)", at: world.now)
        pausedUntil = world.now + duration
        world.lasts(duration)
    }

    var runs: Bool { pausedUntil == nil }

    private func whenItRuns(_ body: @escaping () -> Void) {
        if runs { body() } else { waiting.append(body) }
    }

    // MARK: Others

    func landedByOthers() { if mode != .landed { mode = .landing(since: world.now) } }
    func takenByRadio(_ radio: Radio) { if mode != .landed { mode = .radio(radio) } }
    func sentHome() { if mode != .landed { mode = .returning(since: world.now) } }
    func restarted() {
        restarts += 1
        switch mode {
        case .landed, .radio: break
        case .hovering, .velocity, .goingTo, .landing, .returning, .restarted: mode = .restarted(since: world.now)
        }
    }

    /// The pilot at the radio has flown enough.
    func leftByRadio() {
        switch mode {
        case .radio(.outputOff): mode = .landed
        case .radio(.outputOn): mode = .hovering
        case .hovering, .velocity, .goingTo, .landing, .landed, .returning, .restarted: break
        }
    }

    /// What its diagnostics say now, as they are heard at an instant.
    func diagnostics(heardAt now: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        let state: FlightState =
            switch mode {
            case .hovering, .velocity, .goingTo, .radio(.outputOn), .returning: .flying
            case .radio(.outputOff), .restarted: .armed
            case .landing: .landing
            case .landed: .disarmed
            }
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: isOffboard,
                isOutputEnabled: mode != .radio(.outputOff), isFlyingNormally: state == .flying), at: now)
        // Only this shows that it is in the air.
        if state == .armed { telemetry.heightAboveGroundMetres = Sample(5, at: now) }
        return telemetry
    }

    private var isOffboard: Bool {
        switch mode {
        case .radio, .returning, .restarted: false
        case .hovering, .velocity, .goingTo, .landing, .landed: true
        }
    }
}

/// A service that was called: its caller gets one answer.
private final class ServiceCallInProgress {
    private var answer: ((Result<CommandReply, LinkError>) -> Void)?

    init(_ answer: @escaping (Result<CommandReply, LinkError>) -> Void) { self.answer = answer }

    func end(_ result: Result<CommandReply, LinkError>) { answer.take()?(result) }
}
