public import FlightControl
public import ModeKit

/// Builds the menu mode.
@MainActor
public struct MenuBuilder {
    /// The dependencies of the menu.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// The modes to offer, in order.
        public var modes: [Mode]

        /// The dependencies of the menu.
        public init(fleet: Fleet, modes: [Mode]) {
            self.fleet = fleet
            self.modes = modes
        }
    }

    /// The refresh period: the flight state seldom changes, and what the vehicle can do may be known without telemetry.
    private static let period: Duration = .milliseconds(200)
    private let dependency: Dependency

    /// Creates a builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (MenuPresenter) -> any MenuView) -> ModeInstance {
        let tasks = TaskBag()
        let presenter = MenuPresenter(
            interactor: MenuInteractor(fleet: dependency.fleet, modes: dependency.modes),
            router: MenuRouter(stage: stage), tasks: tasks)
        return ModeInstance(
            .menu, of: presenter, view: makeView(presenter), fleet: dependency.fleet, atMostEvery: Self.period,
            atLeastEvery: Self.period, onDetach: { tasks.cancelAll() })
    }
}
