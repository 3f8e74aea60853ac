package import FlightControl
package import GameController
package import ModeKit
package import RouteFlight
package import UAVLink

/// Builds the mode that drives a machine by text.
@MainActor
package struct RobotBuilder {
    /// The dependencies of the mode.
    package struct Dependency {
        /// The vehicles; the selected one is driven.
        package var fleet: Fleet
        /// What is kept while the mode is closed.
        package var store: RobotStore
        /// Writes the console's files.
        package var files: any FileAccess
        /// Whether the terminal is known to report key releases; the first release also shows it.
        package var keyboardReportsReleases: @MainActor () -> Bool
        /// Opens the game controllers, when they are first wanted.
        package var makeGamepads: @MainActor () -> any Gamepads
        package var timeSource: any TimeSource

        /// The dependencies of the mode.
        package init(
            fleet: Fleet, store: RobotStore, files: any FileAccess,
            keyboardReportsReleases: @escaping @MainActor () -> Bool = { false },
            makeGamepads: @escaping @MainActor () -> any Gamepads, timeSource: any TimeSource = SystemTimeSource()
        ) {
            self.fleet = fleet
            self.store = store
            self.files = files
            self.keyboardReportsReleases = keyboardReportsReleases
            self.makeGamepads = makeGamepads
            self.timeSource = timeSource
        }
    }

    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage; `makeView` makes the view for its presenter.
    package func build(on stage: any Stage, view makeView: (RobotPresenter) -> any RobotView) -> ModeInstance {
        let tasks = TaskBag()
        let timeSource = dependency.timeSource
        let interactor = RobotInteractor(
            fleet: dependency.fleet, store: dependency.store, files: dependency.files, clock: timeSource.clock,
            reportsReleases: dependency.keyboardReportsReleases, makeGamepads: dependency.makeGamepads)
        let presenter = RobotPresenter(interactor: interactor, router: ModeRouter(stage: stage), tasks: tasks)
        return ModeInstance(
            .robot, of: presenter, view: makeView(presenter), fleet: dependency.fleet,
            atMostEvery: RobotInteractor.period,
            atLeastEvery: RobotInteractor.period, onStop: { [weak presenter] in presenter?.stop($0) },
            onDetach: {
                interactor.detach()
                tasks.cancelAll()
            })
    }
}
