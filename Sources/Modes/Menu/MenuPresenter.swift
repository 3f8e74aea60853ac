internal import FlightControl
internal import ModeKit
internal import UAVLink

/// Opens modes for the user's intents, and turns the flight state into a hint.
@MainActor
package final class MenuPresenter: ModePresenter {
    package weak var view: (any MenuView)?
    private let interactor: MenuInteractor
    private let router: MenuRouter
    private let tasks: TaskBag
    private var state = MenuScreenState()
    /// The vehicle that the open question is about.
    private var asked: Int?

    init(interactor: MenuInteractor, router: MenuRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
    }

    /// Updates the entries from the vehicle's capabilities, and the hint from its flight state.
    package func look() {
        state.items = interactor.items
        state.advice = advice
        state.allowsLogOut = !isKnownAirborne
        // The question is about one vehicle, on the ground.
        if asked != interactor.selectedID || isKnownAirborne { forget() }
        view?.show(state)
    }

    /// Whether the vehicle is known to be in the air now. Over a lost link that is not known, and a new log-in may be the way to it.
    private var isKnownAirborne: Bool { interactor.isAirborne && interactor.lostLinkAdvice == nil }

    private func forget() { (asked, state.confirmation) = (nil, nil) }

    /// Handles an intent of the user.
    package func handle(_ intent: MenuIntent) {
        switch intent {
        case .move(let step):
            guard !state.items.isEmpty else { return }
            state.selected = (state.selected + step + state.items.count) % state.items.count
            view?.show(state)
        case .open: openItem(state.selected)
        case .openItem(let index): openItem(index)
        case .logIn: router.open(.login)
        case .logOut: askLogOut()
        case .confirm: confirmLogOut()
        case .decline:
            forget()
            view?.show(state)
        case .quit: router.quit()
        }
    }

    private func openItem(_ index: Int) {
        guard state.items.indices.contains(index) else { return }
        if let obstacle = state.items[index].obstacle {
            return router.say(Notice(.warning, "\(state.items[index].title) is not available: \(obstacle)"))
        }
        router.open(state.items[index].mode)
    }

    private func askLogOut() {
        guard mayLogOut else { return }
        guard let question = interactor.logOutQuestion else { return logOut() }
        (asked, state.confirmation) = (interactor.selectedID, question)
        view?.show(state)
    }

    /// Whether the vehicle is on the ground, as far as is known; otherwise that is said.
    private var mayLogOut: Bool {
        let isAirborne = isKnownAirborne
        if isAirborne { router.say(Notice(.warning, "the vehicle is airborne; land before logging out")) }
        return !isAirborne
    }

    /// Another vehicle may be selected, or this one in the air, since the question was shown.
    private func confirmLogOut() {
        let isSame = asked != nil && asked == interactor.selectedID
        forget()
        view?.show(state)
        if isSame, mayLogOut { logOut() }
    }

    private func logOut() {
        tasks.start { [interactor, router, weak self] in
            guard let title = await interactor.logOut() else { return }
            router.say(Notice(.information, "logged out of \(title)", scope: .vehicle))
            if interactor.hasVehicle { self?.look() } else { router.lastVehicleLoggedOut() }
        }
    }

    private var advice: String? {
        if let lost = interactor.lostLinkAdvice { return "link lost: \(lost)" }
        if interactor.isFlownByRadio { return "the vehicle is flown by radio: it is landed by radio" }
        // What was received last is not what the vehicle does now.
        if let silence = interactor.flightSilence {
            return interactor.telemetryFault.map { "\(silence): \($0)" }
                ?? "\(silence); uavlink doctor finds the cause"
        }
        return switch interactor.flightState {
        case .unknown:
            interactor.telemetryFault.map { "no flight state: \($0)" }
                ?? (interactor.reportsFlight ? "waiting for the vehicle's telemetry" : nil)
        case .disarmed, .armed:
            interactor.takesOff
                ? interactor.takeOffObstacle ?? "to fly: press 1 for the joystick, then t to take off" : nil
        case .takingOff: "the vehicle is taking off"
        case .flying:
            interactor.takesNoSetpoints
                ? Telemetry.refusal(of: "setpoints") : "the vehicle is flying: 1 for manual flight, F7 to hover"
        case .landing: "the vehicle is landing"
        case .emergency: "emergency: the vehicle accepts no commands"
        }
    }
}
