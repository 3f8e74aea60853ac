public import UAVLink
public import FlightControl
public import ModeKit

/// Wires the menu.
@MainActor
public struct MenuBuilder {
    /// What the menu needs.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// The modes that there are, in their order.
        public var modes: [Mode]
        /// Where the time comes from.
        public var pacemaker: any Pacemaker

        /// What the menu needs.
        public init(fleet: Fleet, modes: [Mode], pacemaker: any Pacemaker = SystemPacemaker()) {
            self.fleet = fleet
            self.modes = modes
            self.pacemaker = pacemaker
        }
    }

    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the menu on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (MenuPresenter) -> any MenuView) -> Module {
        let tasks = TaskBag()
        let presenter = MenuPresenter(
            interactor: MenuInteractor(fleet: dependency.fleet, modes: dependency.modes),
            router: MenuRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        presenter.begin()
        let pacemaker = dependency.pacemaker
        tasks.start { [weak presenter] in
            while await pacemaker.pause(.milliseconds(200)) {
                guard let presenter else { return }
                presenter.refresh()
            }
        }
        return Module(.menu, view: view) { tasks.cancelAll() }
    }
}
