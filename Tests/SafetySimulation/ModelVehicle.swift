import UAVLink

/// What a vehicle is told and by whom, for whoever checks the rules.
struct SetpointOrigin {
    let ground: Int
    /// True time.
    let createdAt: MonotonicTime
    let validFor: Duration
}

struct CommandOrigin {
    let ground: Int
    let name: String
    let createdAt: MonotonicTime
    /// By the clock of the ground.
    let deadline: MonotonicTime
    let clock: WorldClock
}

/// A flight stack with the manners of the real one where they matter: it takes references only while it flies normally, its
/// tracker stops by itself half a second after the last velocity, services take their time and may refuse, others may land it or fly
/// it by radio. What it is told, it tells the judge.
final class ModelVehicle: PromptLink, @unchecked Sendable {
    enum Mode: Equatable {
        case hovering
        /// The setpoint's number; 0 is neutral.
        case velocity(Int, since: MonotonicTime)
        case goingTo(Int)
        case landing
        case landed
        case radio
    }

    private unowned(unsafe) let world: World
    private(set) var mode = Mode.hovering
    /// How a service fares, from now on.
    var serviceDelay: ClosedRange<Int> = 2...20
    var refusesShare = 0.0

    init(_ world: World) { self.world = world }

    let kind = LinkKind.ros
    var latestTelemetry: Telemetry? { nil }
    var quality: LinkQuality { LinkQuality(isConnected: true) }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func close() async {}
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        throw LinkError(.internalFault, "only at once")
    }

    // MARK: References

    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) {
        let number = Int(setpoint.velocityMetresPerSecond.x)
        // Pilots here steer in the body's axes, so what comes in the world's is the companion's own.
        if setpoint.frame == .world, world.broken != .anybodySteers {
            world.judge.braked(in: mode, at: world.now)
        } else {
            world.judge.given(setpoint: number, to: mode, at: world.now)
        }
        switch mode {
        case .hovering, .velocity, .goingTo: mode = .velocity(number, since: world.now)
        // Callbacks are disabled, or another tracker is at work.
        case .landing, .landed, .radio: break
        }
    }

    private static let trackerTimeout = Duration.milliseconds(500).nanoseconds

    /// The tracker's own time-out.
    func passTime() {
        if let nextDeadline, nextDeadline <= world.now { mode = .hovering }
    }

    var nextDeadline: MonotonicTime? {
        if case .velocity(_, let since) = mode {
            MonotonicTime(nanoseconds: since.nanoseconds + Self.trackerTimeout)
        } else {
            nil
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
        world.judge.begun(command, at: world.now)
        let way = world.dice.milliseconds(serviceDelay)
        let refuses = world.dice.hits(refusesShare)
        // Half of it until it acts, half until the answer is back.
        world.after(way / 2) { [self] in
            let accepted = !refuses && act(on: command)
            world.after(way / 2) { answer(.success(CommandReply(accepted: accepted, message: ""))) }
        }
    }

    private func act(on command: Command) -> Bool {
        world.judge.executed(command, in: mode, at: world.now)
        switch (command, mode) {
        case (.land, .hovering), (.land, .velocity), (.land, .goingTo): mode = .landing
        case (.goTo(let place), .hovering), (.goTo(let place), .velocity), (.goTo(let place), .goingTo):
            mode = .goingTo(Int(place.position.x))
        // The worst stack there is: it breaks a landing off.
        case (.hover, .landing), (.hover, .hovering), (.hover, .velocity), (.hover, .goingTo): mode = .hovering
        case (.takeoff, .landed): mode = .hovering
        default: return false
        }
        return true
    }

    // MARK: Others

    func landedByOthers() { if mode != .landed { mode = .landing } }
    func takenByRadio() { if mode != .landed { mode = .radio } }
    func givenBackByRadio() { if mode == .radio { mode = .hovering } }
    func touchesDown() { if mode == .landing { mode = .landed } }

    /// What its diagnostics say now, as they are heard at an instant.
    func diagnostics(heardAt now: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        let state: FlightState =
            switch mode {
            case .hovering, .velocity, .goingTo, .radio: .flying
            case .landing: .landing
            case .landed: .disarmed
            }
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: mode != .radio, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: now)
        return telemetry
    }
}
