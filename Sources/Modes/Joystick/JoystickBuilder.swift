package import UAVLink
package import FlightControl
package import ModeKit
package import GameController

/// Builds the joystick mode.
@MainActor
package struct JoystickBuilder {
    /// The dependencies of the joystick mode.
    package struct Dependency {
        /// The vehicles; the selected one is steered.
        package var fleet: Fleet
        /// The user's settings.
        package var settings: JoystickSettings
        /// Keeps the settings while other modes are open.
        package var store: JoystickStore
        /// Whether the terminal is known to report key releases (kitty keyboard protocol); the first release also shows it.
        package var keyboardReportsReleases: @MainActor () -> Bool
        /// Opens the game controllers; called when they are first needed.
        package var makeGamepads: @MainActor () -> any Gamepads
        package var timeSource: any TimeSource

        /// The dependencies of the joystick mode.
        package init(
            fleet: Fleet, settings: JoystickSettings = JoystickSettings(), store: JoystickStore = JoystickStore(),
            keyboardReportsReleases: @escaping @MainActor () -> Bool = { false },
            makeGamepads: @escaping @MainActor () -> any Gamepads, timeSource: any TimeSource = SystemTimeSource()
        ) {
            self.fleet = fleet
            self.settings = settings
            self.store = store
            self.keyboardReportsReleases = keyboardReportsReleases
            self.makeGamepads = makeGamepads
            self.timeSource = timeSource
        }
    }

    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage; `makeView` makes the view for its presenter.
    package func build(on stage: any Stage, view makeView: (JoystickPresenter) -> any JoystickView) -> ModeInstance {
        let tasks = TaskBag()
        let router = ModeRouter(stage: stage)
        let timeSource = dependency.timeSource
        let settings = dependency.store.settings ?? dependency.settings
        let interactor = JoystickInteractor(
            fleet: dependency.fleet, clock: timeSource.clock, settings: settings, store: dependency.store,
            tasks: tasks,
            reportsReleases: dependency.keyboardReportsReleases, makeGamepads: dependency.makeGamepads,
            tell: { router.say($0) })
        if settings.source == .controller { interactor.openGamepads() }
        let presenter = JoystickPresenter(interactor: interactor, router: router, clock: timeSource.clock)
        return ModeInstance(
            .joystick, of: presenter, view: makeView(presenter), fleet: dependency.fleet,
            atMostEvery: JoystickInteractor.shortestTickPeriod, atLeastEvery: JoystickInteractor.tickPeriod,
            onStop: { [weak presenter] cause in presenter?.stop(StopReason(cause)) },
            onDetach: {
                interactor.detach()
                tasks.cancelAll()
            },
            settle: { await interactor.settle() })
    }
}
