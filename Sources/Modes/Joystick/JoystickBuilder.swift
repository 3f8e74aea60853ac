public import UAVLink
public import FlightControl
public import ModeKit
public import GameController

/// Wires the joystick.
@MainActor
public struct JoystickBuilder {
    /// What the joystick needs.
    public struct Dependency {
        /// The vehicles; the selected one is steered.
        public var fleet: Fleet
        /// How the person likes to fly.
        public var settings: JoystickSettings
        /// Whether the terminal is known to tell key-ups (kitty keyboard protocol); the first one that comes shows it too.
        public var keyboardTellsReleases: @MainActor () -> Bool
        /// Opens the game controllers; called when they are first asked for.
        public var makeGamepads: @MainActor () -> any Gamepads
        /// Where the time comes from.
        public var pacemaker: any Pacemaker

        /// What the joystick needs.
        public init(
            fleet: Fleet, settings: JoystickSettings = JoystickSettings(),
            keyboardTellsReleases: @escaping @MainActor () -> Bool = { false },
            makeGamepads: @escaping @MainActor () -> any Gamepads, pacemaker: any Pacemaker = SystemPacemaker()
        ) {
            self.fleet = fleet
            self.settings = settings
            self.keyboardTellsReleases = keyboardTellsReleases
            self.makeGamepads = makeGamepads
            self.pacemaker = pacemaker
        }
    }

    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the joystick on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (JoystickPresenter) -> any JoystickView) -> Module {
        let tasks = TaskBag()
        let router = JoystickRouter(stage: stage)
        let pacemaker = dependency.pacemaker
        let interactor = JoystickInteractor(
            fleet: dependency.fleet, clock: pacemaker.clock, settings: dependency.settings, tasks: tasks,
            tellsReleases: dependency.keyboardTellsReleases, makeGamepads: dependency.makeGamepads,
            tell: { router.say($0) })
        if dependency.settings.source == .controller { interactor.openGamepads() }
        let presenter = JoystickPresenter(interactor: interactor, router: router, clock: pacemaker.clock)
        let view = makeView(presenter)
        presenter.view = view
        presenter.refresh()
        tasks.start { [weak presenter] in
            while await pacemaker.pause(JoystickInteractor.tickPeriod) {
                guard let presenter else { return }
                presenter.refresh()
            }
        }
        return Module(
            .joystick, view: view,
            onStop: { [weak presenter] cause in presenter?.stop(StopReason(cause)) },
            onDetach: {
                interactor.detach()
                tasks.cancelAll()
            },
            settle: { await interactor.settle() })
    }
}
