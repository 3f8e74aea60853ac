public import UAVLink
public import FlightControl
public import ModeKit

/// Wires the indoor module.
@MainActor
public struct IndoorBuilder {
    /// What the indoor module needs.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// What stays when the screen is left.
        public var desk: IndoorDesk
        /// Where the time comes from.
        public var pacemaker: any Pacemaker
        /// Opens and fetches maps.
        public var maps: MapInteractor
        /// Makes trajectories through a map.
        public var planner: any IndoorPlanning

        /// What the indoor module needs.
        public init(
            fleet: Fleet, desk: IndoorDesk, pacemaker: any Pacemaker = SystemPacemaker(),
            maps: MapInteractor = MapInteractor(), planner: any IndoorPlanning = CollisionFreePlanning()
        ) {
            self.fleet = fleet
            self.desk = desk
            self.pacemaker = pacemaker
            self.maps = maps
            self.planner = planner
        }
    }

    /// 20 looks a second.
    private static let period: Duration = .milliseconds(50)
    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the module on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (IndoorPresenter) -> any IndoorView) -> Module {
        let tasks = TaskBag()
        let pacemaker = dependency.pacemaker
        let interactor = IndoorInteractor(
            fleet: dependency.fleet, desk: dependency.desk, clock: pacemaker.clock, maps: dependency.maps,
            planner: dependency.planner)
        let presenter = IndoorPresenter(interactor: interactor, router: IndoorRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        presenter.begin()
        tasks.start { [weak presenter] in
            while await pacemaker.pause(Self.period) {
                guard let presenter else { return }
                presenter.look()
            }
        }
        return Module(.indoor, view: view) { tasks.cancelAll() }
    }
}
