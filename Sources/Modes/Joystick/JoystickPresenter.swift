internal import FlightControl
internal import ModeKit
internal import GameController
internal import ReportKit
internal import UAVLink

/// Turns intents and controller buttons into control, and the interactor's state into the screen state.
@MainActor
package final class JoystickPresenter: ModePresenter {
    package weak var view: (any JoystickView)?
    private let interactor: JoystickInteractor
    private let router: ModeRouter
    private let clock: any MonotonicClock
    private var question: Question? {
        didSet { isAskedByController = false }
    }
    /// Whether a button of the game controller opened the question.
    private var isAskedByController = false
    /// The vehicles that the question before a take-off names.
    private var takeOff = TakeOffTargets()
    private var buttons: Gamepad?

    private enum Question {
        case takeOff, land, disarm
    }

    init(interactor: JoystickInteractor, router: ModeRouter, clock: any MonotonicClock) {
        self.interactor = interactor
        self.router = router
        self.clock = clock
    }

    /// Updates control and shows the current state.
    package func look() {
        interactor.tick()
        handleButtons()
        show()
    }

    /// Handles an intent.
    package func handle(_ intent: JoystickIntent) {
        switch intent {
        case .press, .repeats, .release, .lostFocus: break
        default: interactor.otherKey()
        }
        switch intent {
        case .press(let key):
            interactor.press(key)
            sayIfNothingIsSteered()
        case .repeats(let key): interactor.repeats(key)
        case .release(let key): interactor.release(key)
        case .toggleControl: toggleControl()
        case .leave: leave()
        case .hover: interactor.hover()
        case .takeOff: askToTakeOff()
        case .land: land()
        case .disarm: askToDisarm()
        case .answer(let isYes): answer(isYes)
        case .changeFrame: interactor.changeFrame()
        case .speed(let step): interactor.changeSpeed(step)
        case .rate(let step): interactor.changeRate(step)
        case .changeLayout: interactor.changeLayout()
        case .changeSource: interactor.changeSource()
        case .lostFocus: interactor.stop(.focusLost)
        }
        show()
    }

    /// Ends steering for a reason from outside the mode.
    func stop(_ reason: StopReason) {
        interactor.stop(reason)
        show()
    }

    /// Without control the keys that steer do nothing: what comes first is said.
    private func sayIfNothingIsSteered() {
        guard case .released = interactor.state, interactor.selected != nil else { return }
        interactor.steersNothing(JoystickFormatter(interactor, now: clock.now).advice)
    }

    private func toggleControl() {
        switch interactor.state {
        case .released: interactor.take()
        case .waitsForNeutral, .engaged: interactor.stop(.controlReleased)
        case .stopping: break
        }
    }

    private func leave() {
        if question != nil { return question = nil }
        // The first Esc only cancels the command in progress, so that leaving does not silently abort a take-off.
        if interactor.flight.cancel() { return }
        interactor.stop(.controlReleased)
        router.leave()
    }

    private func land() {
        if let lack = interactor.lack(of: .land) { return router.say(Notice(.warning, lack)) }
        interactor.land()
    }

    private func askToTakeOff() {
        if let lack = interactor.lack(of: .takeoff) { return router.say(Notice(.warning, lack)) }
        takeOff = interactor.takeOffTargets
        if let obstacle = interactor.authorityObstacle(of: takeOff.vehicles) {
            return router.say(Notice(.warning, obstacle, scope: .vehicle))
        }
        guard takeOff.vehicles.isEmpty, let selected = interactor.selected else { return question = .takeOff }
        // What it did when it was last heard says nothing of now.
        if selected.isLinkLost {
            return router.say(
                Notice(.warning, "\(selected.title): link lost: a take-off would not reach it", scope: .vehicle))
        }
        switch selected.link.latestTelemetry?.flight?.value.state ?? .unknown {
        case .emergency: router.say(Notice(.warning, "emergency: the vehicle accepts no commands", scope: .vehicle))
        case .unknown, .disarmed, .armed:
            if let obstacle = interactor.takeOffObstacle {
                return router.say(Notice(.warning, obstacle, scope: .vehicle))
            }
            router.say(Notice(.information, "no vehicle stands on the ground"))
        case .flying, .takingOff, .landing:
            router.say(Notice(.information, "the vehicle is already in the air"))
        }
    }

    private func askToDisarm() {
        if let lack = interactor.lack(of: .arm) { return router.say(Notice(.warning, lack)) }
        // As the command itself would be refused.
        for target in interactor.targets {
            guard let obstacle = interactor.radioFlight(of: target).obstacle(target.title) else { continue }
            return router.say(Notice(.warning, obstacle, scope: .vehicle))
        }
        // Only what telemetry shows now: in doubt motors may run.
        let isOff = interactor.targets.allSatisfy { $0.flightStatus(now: clock.now)?.state == .disarmed }
        guard interactor.targets.isEmpty || !isOff else {
            let titles = interactor.targets.map(\.title).joined(separator: ", ")
            return router.say(Notice(.information, "\(titles): the motors are off already", scope: .vehicle))
        }
        let airborne = interactor.targets.filter { $0.link.latestTelemetry?.flight?.value.state.isAirborne == true }
        guard airborne.isEmpty else {
            let titles = airborne.map(\.title).joined(separator: ", ")
            return router.say(
                Notice(.warning, "\(titles): in the air; without motors it falls: land first", scope: .vehicle))
        }
        if let obstacle = interactor.authorityObstacle(of: interactor.targets) {
            return router.say(Notice(.warning, obstacle, scope: .vehicle))
        }
        question = .disarm
    }

    private func answer(_ isYes: Bool) {
        defer { question = nil }
        guard isYes else { return }
        switch question {
        case .takeOff: interactor.takeOff(takeOff)
        case .land: land()
        case .disarm: interactor.flight.disarm(interactor.targets)
        case nil: break
        }
    }

    /// Handles button presses by their counters, so that a press between two refreshes is not missed. Presses before the first
    /// refresh, or on another controller, are ignored.
    private func handleButtons() {
        let gamepad = interactor.gamepadsState?.gamepad
        defer { buttons = gamepad }
        guard let gamepad, let before = buttons, before.number == gamepad.number else { return }
        for button in GamepadButton.allCases where gamepad.presses(of: button) > before.presses(of: button) {
            pressed(button)
        }
    }

    private func pressed(_ button: GamepadButton) {
        // While the keyboard steers, the controller's buttons are ignored, except hover.
        guard button == .b || interactor.settings.source == .controller else { return }
        switch button {
        case .b:
            let isAnswer = question != nil
            question = nil
            // It declines, and hovers as Space does; but of vehicles on the ground a hover would be refused.
            guard isAnswer, interactor.areTargetsOnGround else { return interactor.hover() }
            interactor.stop(.controlReleased)
        case .start: toggleControl()
        case .a: if question != nil { answer(true) }
        case .y:
            askToTakeOff()
            isAskedByController = question != nil
        case .x:
            guard question == nil else { return }
            question = .land
            isAskedByController = true
        case .leftShoulder: interactor.changeSpeed(-1)
        case .rightShoulder: interactor.changeSpeed(1)
        case .back: interactor.changeFrame()
        }
    }

    private func show() {
        var state = JoystickScreenState()
        JoystickFormatter(interactor, now: clock.now).fill(&state)
        state.question = question.map { question in
            let (named, leftOut): ([LoggedInVehicle], [String]) =
                switch question {
                case .takeOff: (takeOff.vehicles, takeOff.leftOut)
                case .land, .disarm: (interactor.targets, [])
                }
            let who = named.map(\.title).joined(separator: ", ").sanitizedLine
            // Where that is not known now, the question says that motors may start.
            // A machine without arming only takes off.
            let isArmed = named.allSatisfy {
                $0.flightStatus(now: clock.now)?.isArmed == true
                    || !$0.link.vehicleCapabilities.commands.contains(.arm)
            }
            let others = leftOut.joined(separator: ", ").sanitizedLine
            let (title, action, otherwise) =
                switch question {
                case .takeOff where takeOff.clearsEmergency:
                    ("Clear the emergency of \(who)? It does not take off by that", "clear it", "it stays as it is")
                case .takeOff where isArmed: ("Take off with \(who)?", "take off", "it stays on the ground")
                case .takeOff: ("Arm the motors of \(who) and take off?", "take off", "it stays on the ground")
                case .land: ("Land \(who)?", "land", "it stays in the air")
                case .disarm: ("Stop the motors of \(who)?", "stop them", "they stay as they are")
                }
            var facts = others.isEmpty ? [] : [LabeledValue("not with", others)]
            if isAskedByController { facts.append(LabeledValue("game controller", "A: yes, B: no")) }
            return ConfirmationRequest(title: title, facts: facts, action: action, otherwise: otherwise)
        }
        view?.show(state)
    }
}
