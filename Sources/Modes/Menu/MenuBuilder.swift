public import UAVLink
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
        /// The time source.
        public var timeSource: any TimeSource

        /// The dependencies of the menu.
        public init(fleet: Fleet, modes: [Mode], timeSource: any TimeSource = SystemTimeSource()) {
            self.fleet = fleet
            self.modes = modes
            self.timeSource = timeSource
        }
    }

    private let dependency: Dependency

    /// Creates a builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (MenuPresenter) -> any MenuView) -> ModeInstance {
        let tasks = TaskBag()
        let presenter = MenuPresenter(
            interactor: MenuInteractor(fleet: dependency.fleet, modes: dependency.modes),
            router: MenuRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        presenter.begin()
        let timeSource = dependency.timeSource
        tasks.start { [weak presenter] in
            while await timeSource.pause(.milliseconds(200)) {
                guard let presenter else { return }
                presenter.refresh()
            }
        }
        return ModeInstance(.menu, view: view) { tasks.cancelAll() }
    }
}
