internal import FlightControl
internal import GameController
internal import ModeKit
internal import ReportKit
internal import UAVLink

/// Formats the joystick mode's state as text.
@MainActor
struct JoystickFormatter {
    private let interactor: JoystickInteractor
    private let now: MonotonicTime

    init(_ interactor: JoystickInteractor, now: MonotonicTime) {
        self.interactor = interactor
        self.now = now
    }

    func fill(_ state: inout JoystickScreenState) {
        control(&state)
        source(&state)
        let settings = interactor.settings
        state.layout = settings.layout
        state.limits = interactor.shaping.limits
        state.frame = interactor.frame
        capabilities(&state)
        state.rateHertz = settings.rateHertz
        state.sticks = settings.layout.position(of: interactor.requested.along(state.axes))
        if let output = interactor.output {
            state.asked = output.motion
            state.isSending = true
        }
        state.sentHertz = interactor.rates.sent.hertz
        state.appliedHertz = interactor.rates.applied.hertz
        state.underWay = interactor.flight.underWay
        vehicle(&state)
    }

    /// What the vehicle lacks is left out.
    private func capabilities(_ state: inout JoystickScreenState) {
        let capabilities = interactor.capabilities
        state.axes = capabilities.steering?.axes ?? []
        state.isDeflection = capabilities.steering?.unit == .deflection
        let targets = interactor.targets
        let states = targets.map(state(of:))
        state.isFlownByRadio = interactor.radioFlight(of: interactor.selected) == .certain
        // The state of a vehicle that is flown by radio is that it is armed; it is not commanded.
        let commanded = targets.filter { interactor.radioFlight(of: $0) != .certain }.map(state(of:))
        let standing = targets.filter { interactor.radioFlight(of: $0) == .no }.map(state(of:))
            .filter { !$0.isAirborne }
        state.acceptsCommands = states.isEmpty || states.contains { $0 != .emergency }
        // What was last heard says nothing about what acts now.
        state.isLinkLost = !targets.isEmpty && targets.allSatisfy(\.isLinkLost)
        state.canHover = states.isEmpty || commanded.contains { $0 == .flying || $0 == .unknown }
        let isHeard = states.contains { $0 != .unknown }
        state.hasTakeOff = interactor.lack(of: .takeoff) == nil && !standing.isEmpty && state.acceptsCommands && isHeard
        if interactor.takeOffObstacle != nil { state.hasTakeOff = false }
        state.clearsEmergency = interactor.takeOffTargets.clearsEmergency
        if state.clearsEmergency { state.hasTakeOff = true }
        let isRefused = interactor.selected.map { interactor.refusalOfControl(of: $0) != nil } ?? false
        state.takesControl = !isRefused
        // An armed vehicle on the ground refuses to land, and one that is flown by radio too; one that lands needs no second command.
        let mayLand = commanded.contains { ($0.isAirborne && $0 != .landing) || $0 == .unknown }
        state.hasLanding = interactor.lack(of: .land) == nil && mayLand && state.acceptsCommands
        // Where nothing is known it would be refused, and of all where one is in the air.
        state.hasDisarming =
            interactor.lack(of: .arm) == nil && standing.contains { $0 != .disarmed && $0 != .unknown }
            && !states.contains(where: \.isAirborne)
        // Commands but stops and landings are those of the pilot who has control.
        if interactor.authorityObstacle(of: interactor.takeOffTargets.vehicles) != nil { state.hasTakeOff = false }
        if interactor.authorityObstacle(of: targets) != nil { state.hasDisarming = false }
        // They would be refused until it has ended; a landing is not.
        if interactor.flight.underWay != nil { (state.hasTakeOff, state.hasDisarming) = (false, false) }
        state.hasFrames = interactor.frameObstacle == nil
        state.hasHeight = capabilities.telemetry.contains(.height)
        state.mapObstacle = capabilities.lack(of: VehicleRequirement(telemetry: .pose))
    }

    private func control(_ state: inout JoystickScreenState) {
        switch interactor.state {
        case .released(let ended):
            state.control = .init("RELEASED")
            state.toggle = .take
            state.advice = advice
            state.lastStop = ended.flatMap { ended in
                let status = interactor.selected?.link.latestTelemetry?.control?.value
                let isOld = ended.reason.isOver(knowing: status) || interactor.isStale(ended)
                return isOld ? nil : words(ended)
            }
        case .waitsForNeutral:
            state.control = .init("WAITING", .warning)
            state.toggle = .cancel
            let obstacles = interactor.obstacles
            let other = otherPilot.map { "\($0) has control" }
            state.advice = ([other].compactMap(\.self) + obstacles.map(\.words)).joined(separator: "; ")
            state.pending = pending(obstacles)
        case .engaged:
            state.control = .init("ENGAGED", interactor.output?.mustCentre == true ? .warning : .success)
            state.toggle = .release
            state.advice =
                interactor.output?.mustCentre == true
                ? "this program stalled: centre the sticks, until then they are ignored"
                : "steering; Space hovers, Enter stops steering and releases control"
        case .stopping(let reason):
            state.control = .init("STOPPING", .warning)
            state.toggle = .nothing
            // Nobody is reached who would stop it.
            state.advice =
                interactor.steered?.link.quality.isConnected == false
                ? "the link is lost: \(endOfSteering)"
                : reason.stopsVehicle ? "the vehicle is being stopped" : "no more setpoints are sent"
            state.lastStop = .init("steering ends: \(reason.words)", reason.isWanted ? .information : .warning)
        }
    }

    /// What the request for control waits for, and how it is cancelled.
    private func pending(_ obstacles: [ControlObstacle]) -> String {
        let all = obstacles.map(\.condition)
        let conditions = [all.dropLast().joined(separator: ", "), all.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: " and ")
        let key = interactor.settings.source == .controller ? "Enter or Start" : "Enter"
        if let otherPilot {
            return "control does not engage while \(otherPilot) has it: F12 takes over; \(key) cancels"
        }
        return "control engages by itself\(conditions.isEmpty ? "" : " once \(conditions)"); \(key) cancels"
    }

    /// What was received longer ago says nothing about the vehicle: telemetry comes every second or two at the slowest.
    private static let oldestState: Duration = .seconds(5)

    private func state(of vehicle: LoggedInVehicle) -> FlightState {
        guard let flight = vehicle.link.latestTelemetry?.flight, now - flight.at < Self.oldestState else {
            return .unknown
        }
        return flight.value.state
    }

    /// The other pilot who has control of the selected vehicle; `nil` if there is none.
    private var otherPilot: String? {
        guard let pilot = interactor.selected?.link.latestTelemetry?.control?.value.pilot, !pilot.isYou else {
            return nil
        }
        return pilot.name.sanitizedLine
    }

    /// Whether it stands on the ground and may take off now.
    private var mayTakeOff: Bool {
        switch interactor.selected.map(state(of:)) {
        case .disarmed, .armed:
            interactor.takeOffObstacle == nil && interactor.lack(of: .takeoff) == nil
                && interactor.flight.underWay == nil
        case nil, .unknown, .takingOff, .flying, .landing, .emergency: false
        }
    }

    var advice: String {
        if let vehicle = interactor.selected, vehicle.isLinkLost {
            return "link lost: \(vehicle.lostLinkAdvice)"
        }
        if let otherPilot {
            return "\(otherPilot) has control; F12 takes over" + (mayTakeOff ? ", then t takes off" : "")
        }
        if let obstacle = interactor.radioFlight(of: interactor.selected).obstacle("the vehicle") { return obstacle }
        return switch interactor.selected.map(state(of:)) {
        case nil, .unknown:
            interactor.selected?.link.quality.telemetryFault.map { "no flight state: \($0)" }
                ?? "waiting for the vehicle's telemetry"
        case .disarmed, .armed:
            interactor.takeOffObstacle
                ?? (mayTakeOff
                    ? "t takes off; then Enter takes control" : "once the vehicle flies, Enter takes control")
        case .takingOff: "the vehicle is taking off"
        case .flying:
            interactor.takesNoSetpoints ? Telemetry.refusal(of: "setpoints") : JoystickInteractor.takesControl
        case .landing: "the vehicle is landing"
        case .emergency:
            interactor.takeOffTargets.clearsEmergency
                ? "emergency: look at the vehicle; then t clears it" : "emergency: the vehicle accepts no commands"
        }
    }

    private func words(_ ended: ControlState.Ended) -> JoystickScreenState.Line {
        // It is the pilot's steering that ended: the vehicle may go on, for example with a goto.
        let why = "\(start(ended)): \(ended.reason.words)"
        switch ended.outcome {
        case .notStopped, .notEngaged: return .init(why, ended.reason.isWanted ? .information : .warning)
        case .accepted(let trip): return stopped("\(why); hover accepted in", trip, ended)
        case .braked(let trip): return stopped("\(why); braked, confirmed in", trip, ended)
        case .refused(let message):
            return .init("\(why); stop REFUSED: \(ControlAuthorityClient.onScreen(message.sanitizedLine))", .error)
        case .unanswered:
            return .init("\(why); stop NOT CONFIRMED; \(endOfSteering)", .error)
        }
    }

    /// Not every machine has a tracker or a companion that ends it.
    private var endOfSteering: String {
        interactor.steered?.endOfSteering ?? "without setpoints the vehicle stops by itself"
    }

    private func start(_ ended: ControlState.Ended) -> String {
        if ended.outcome == .notEngaged { return "not engaged" }
        // Also if another pilot had it from the beginning, so that nothing was steered.
        if case .authorityLost = ended.reason { return "not steering" }
        return "steering ended"
    }

    private func stopped(_ how: String, _ trip: Duration, _ ended: ControlState.Ended) -> JoystickScreenState.Line {
        .init(
            "\(how) \(trip.inMilliseconds.formatted(decimals: 0)) ms", ended.reason.isWanted ? .success : .warning)
    }

    private func source(_ state: inout JoystickScreenState) {
        switch (interactor.settings.source, interactor.gamepadsState) {
        case (.keyboard, _):
            state.source = interactor.reportsReleases ? "keyboard, held keys" : "keyboard, steps"
            state.keyDelay = interactor.fleet.keyDelays.median
            if !interactor.reportsReleases {
                state.sourceNote = .init(
                    "this terminal does not report key releases: each press is one step", .warning)
            }
        case (.controller, .plugged(let gamepad)):
            state.source = gamepad.name.sanitizedLine
        case (.controller, .unusable(let why)):
            state.source = "no controller"
            state.sourceNote = .init(why.sanitizedLine, .error)
        case (.controller, .starting), (.controller, nil):
            state.source = "controller"
            state.sourceNote = .init("looking for game controllers")
        case (.controller, GamepadsState.none?):
            state.source = "no controller"
            state.sourceNote = .init("connect a game controller, or press c for the keyboard", .warning)
        }
    }

    private func vehicle(_ state: inout JoystickScreenState) {
        guard let vehicle = interactor.selected else { return }
        let telemetry = vehicle.link.latestTelemetry
        let flight = telemetry?.flight?.value.state ?? .unknown
        state.isControlledByOther = telemetry?.control?.value.pilot.map { !$0.isYou } ?? false
        let words = interactor.radioFlight(of: vehicle) == .certain ? "flown by radio" : flight.words
        // As above the screen: what is shown is the last that was received.
        let isHeard = vehicle.link.quality.isConnected || flight == .unknown
        state.flight = isHeard ? words : flight == .emergency ? "was in an \(words)" : "was \(words)"
        state.vehicle = "\(vehicle.title.sanitizedLine) \(state.flight)"
        state.link = vehicle.link.kind
        // A sensor that measures nothing says nothing.
        state.heightMetres = telemetry?.heightAboveGroundMetres.flatMap {
            now - $0.at < Self.oldestState ? $0.value : nil
        }
        state.ceilingMetres = telemetry?.estimator?.value.ceilingMetres
        guard let telemetry else { return }
        guard let pose = telemetry.pose else {
            state.velocity = telemetry.velocityMetresPerSecond?.value
            state.velocityAge = telemetry.velocityMetresPerSecond?.age(now: now)
            return
        }
        state.poseAge = now - pose.at
        var map = JoystickScreenState.Map(
            position: pose.value.positionMetres, headingRadians: pose.value.headingRadians,
            velocity: telemetry.velocityMetresPerSecond?.value ?? .zero)
        map.trail = interactor.trail
        map.home = interactor.home
        map.predicted =
            Prediction(
                telemetry, commanded: interactor.commanded(headingRadians: pose.value.headingRadians), now: now)?
            .positionMetres
        state.map = map
    }
}
