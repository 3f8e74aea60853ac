package import FlightControl
package import ModeKit

/// Builds the menu mode.
@MainActor
package struct MenuBuilder {
    /// The dependencies of the menu.
    package struct Dependency {
        /// The vehicles.
        package var fleet: Fleet
        /// The modes to offer, in order.
        package var modes: [Mode]
        /// What would end, or be lost, if a vehicle were logged out of now: `the open shell`; empty for nothing.
        package var losses: @MainActor (LoggedInVehicle) -> [String]

        /// The dependencies of the menu.
        package init(
            fleet: Fleet, modes: [Mode], losses: @escaping @MainActor (LoggedInVehicle) -> [String] = { _ in [] }
        ) {
            self.fleet = fleet
            self.modes = modes
            self.losses = losses
        }
    }

    /// The refresh period: the flight state seldom changes, and what the vehicle can do may be known without telemetry.
    private static let period: Duration = .milliseconds(200)
    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage, with the view that `makeView` makes for its presenter.
    package func build(on stage: any Stage, view makeView: (MenuPresenter) -> any MenuView) -> ModeInstance {
        let tasks = TaskBag()
        let presenter = MenuPresenter(
            interactor: MenuInteractor(
                fleet: dependency.fleet, modes: dependency.modes, losses: dependency.losses),
            router: MenuRouter(stage: stage), tasks: tasks)
        return ModeInstance(
            .menu, of: presenter, view: makeView(presenter), fleet: dependency.fleet, atMostEvery: Self.period,
            atLeastEvery: Self.period, onDetach: { tasks.cancelAll() })
    }
}
