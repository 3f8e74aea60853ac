internal import FlightControl
internal import ModeKit
internal import UAVLink

/// Turns keys in the menu into modes to open, and what a vehicle is doing into advice.
@MainActor
public final class MenuPresenter {
    /// Where it shows things.
    public weak var view: (any MenuView)?
    private let interactor: MenuInteractor
    private let router: MenuRouter
    private let tasks: TaskBag
    private var state = MenuScreenState()

    init(interactor: MenuInteractor, router: MenuRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
    }

    /// Shows the menu for the first time.
    public func begin() {
        state.items = interactor.items
        refresh()
    }

    /// Shows what the vehicle is doing now.
    public func refresh() {
        state.advice = advice
        view?.show(state)
    }

    /// Does what the person asked for.
    public func handle(_ intent: MenuIntent) {
        switch intent {
        case .move(let step):
            guard !state.items.isEmpty else { return }
            state.selected = (state.selected + step + state.items.count) % state.items.count
            view?.show(state)
        case .open: openItem(state.selected)
        case .openItem(let index): openItem(index)
        case .logIn: router.open(.login)
        case .logOut: logOut()
        case .quit: router.quit()
        }
    }

    private func openItem(_ index: Int) {
        guard state.items.indices.contains(index) else { return }
        router.open(state.items[index].mode)
    }

    private func logOut() {
        guard !interactor.flightState.isAirborne else {
            router.say(Notice(.warning, "the vehicle is in the air: land it before you log out"))
            return
        }
        tasks.start { [interactor, router, weak self] in
            guard let title = await interactor.logOut() else { return }
            router.say(Notice(.information, "logged out of \(title)"))
            if interactor.hasVehicle { self?.refresh() } else { router.vehicleIsGone() }
        }
    }

    private var advice: String? {
        switch interactor.flightState {
        case .unknown: "waiting for the vehicle's telemetry"
        case .disarmed, .armed: "to fly: press 1 for the joystick, then t to take off"
        case .takingOff: "the vehicle is taking off"
        case .flying: "the vehicle is flying: 1 flies it by hand, F7 stops it"
        case .landing: "the vehicle is landing"
        case .emergency: "the vehicle is in an emergency and takes no commands"
        }
    }
}
