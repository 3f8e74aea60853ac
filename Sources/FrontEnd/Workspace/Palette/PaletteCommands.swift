internal import FlightControl
internal import ModeKit
internal import UAVLink

/// What the palette asks for.
extension WorkspacePresenter {
    func open(_ mode: Mode) {
        let obstacle = mode.obstacle(of: interactor.capabilities, isReachedDirectly: interactor.isReachedDirectly)
        if interactor.hasVehicle, let obstacle { return say(Notice(.warning, obstacle)) }
        router.open(mode)
    }

    func fly(_ action: FlightAction) {
        guard interactor.hasVehicle else { return say(Notice(.warning, "no vehicle is logged in")) }
        if let lack = interactor.lack(of: VehicleRequirement(commands: action.command.kind)) {
            return refuse(action, Notice(.warning, lack))
        }
        let targets = interactor.targets.joined(separator: ", ")
        switch action {
        case .takeOff:
            askToTakeOff()
        case .landHome, .goTo, .altitude, .heading:
            if interactor.radioFlight == .certain, let obstacle = interactor.radioFlight.obstacle("the vehicle") {
                return refuse(action, Notice(.warning, obstacle, scope: .vehicle))
            }
            if let mistake = interactor.mistake(in: action) {
                return refuse(action, Notice(.warning, mistake, scope: .vehicle))
            }
            guard action == .landHome else { return begin(action) }
            let home = interactor.returnHomeTargets
            if let obstacle = interactor.authorityObstacle(of: home.vehicles) {
                return say(Notice(.warning, obstacle, scope: .vehicle))
            }
            let others =
                home.leftOut.isEmpty ? "" : " Not with \(home.leftOut.joined(separator: ", ")) (on the ground)."
            interactor.askedToReturnHome = home.vehicles
            ask(
                .fly(action),
                title: "Return home with \(home.vehicles.map(\.title).joined(separator: ", ")), and land?",
                text: "Home is the place of the take-off.\(others)", action: "return home")
        case .disarm:
            if let obstacle = interactor.disarmingObstacle {
                return say(Notice(.warning, obstacle, scope: .vehicle))
            }
            guard !interactor.areTargetsDisarmed else {
                return say(Notice(.information, "\(targets): the motors are off already", scope: .vehicle))
            }
            guard !interactor.flightState.isAirborne else {
                return say(Notice(.warning, "\(targets) is in the air: without its motors it falls; land it"))
            }
            if let obstacle = interactor.authorityObstacle(of: interactor.commanded) {
                return say(Notice(.warning, obstacle, scope: .vehicle))
            }
            ask(
                .fly(action), title: "Stop the motors of \(targets)?",
                text: "Refused unless telemetry shows the vehicle on the ground.", action: "disarm")
        // Never held back, whatever telemetry says.
        case .land: begin(action)
        }
    }

    private func askToTakeOff() {
        let targets = interactor.takeOffTargets
        guard !targets.vehicles.isEmpty else {
            if interactor.flightState == .emergency {
                return say(Notice(.warning, "emergency: the vehicle accepts no commands", scope: .vehicle))
            }
            if !interactor.flightState.isAirborne, let obstacle = interactor.takeOffObstacle {
                return say(Notice(.warning, obstacle, scope: .vehicle))
            }
            return say(Notice(.information, "the vehicle is already in the air"))
        }
        if let obstacle = interactor.authorityObstacle(of: targets.vehicles) {
            return say(Notice(.warning, obstacle, scope: .vehicle))
        }
        (interactor.askedToTakeOff, interactor.askedToClearEmergency) = (targets.vehicles, targets.clearsEmergency)
        let who = targets.vehicles.map(\.title).joined(separator: ", ")
        let others = targets.leftOut.isEmpty ? "" : " Not with \(targets.leftOut.joined(separator: ", "))."
        if targets.clearsEmergency {
            return ask(
                .fly(.takeOff), title: "Clear the emergency of \(who)?",
                text: "Look at it first. It does not take off by that: take off again afterwards.\(others)",
                action: "clear it")
        }
        ask(
            .fly(.takeOff),
            title: interactor.areTakeOffTargetsArmed
                ? "Take off with \(who)?" : "Arm the motors of \(who) and take off?",
            text: "Steps that are already done are left out.\(others)", action: "take off")
    }

    /// Says why a command is not given; one that was typed stays in the palette, to be corrected.
    private func refuse(_ action: FlightAction, _ notice: Notice) {
        switch action {
        case .goTo, .altitude, .heading:
            state.refusedLine = RefusedLine(
                text: nil, reason: notice.text, number: (state.refusedLine?.number ?? 0) &+ 1)
        case .takeOff, .land, .landHome, .disarm: break
        }
        say(notice)
    }

    /// Starts a recording. If its file cannot be created, the path stays in the palette, to be corrected.
    func record(at path: String) {
        let notice = interactor.record(at: path)
        guard notice.weight == .error, !interactor.isRecorded else {
            state.refusedLine = nil
            say(notice)
            return refresh()
        }
        state.refusedLine = RefusedLine(
            text: "\(TypedCommand.record.rawValue) \(path)", reason: notice.text,
            number: (state.refusedLine?.number ?? 0) &+ 1)
        view?.show(state)
    }

    func begin(_ action: FlightAction) {
        router.stopMotion(.command(action.command))
        interactor.fly(action)
        // What is waited for stands where an older notice would.
        clearNotice()
    }
}
