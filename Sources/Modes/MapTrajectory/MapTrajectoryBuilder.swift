public import UAVLink
public import FlightControl
public import ModeKit
public import RouteFlight

/// Wires the map.
@MainActor
public struct MapTrajectoryBuilder {
    /// What the map needs.
    public struct Dependency {
        /// The vehicles; the selected one is flown.
        public var fleet: Fleet
        /// What stays when the map is left.
        public var desk: RouteDesk
        /// Reads and writes files.
        public var files: any FileAccess
        /// Where the time comes from.
        public var pacemaker: any Pacemaker

        /// What the map needs.
        public init(
            fleet: Fleet, desk: RouteDesk, files: any FileAccess = LocalFiles(),
            pacemaker: any Pacemaker = SystemPacemaker()
        ) {
            self.fleet = fleet
            self.desk = desk
            self.files = files
            self.pacemaker = pacemaker
        }
    }

    /// Ten looks a second: a vehicle at 4 m/s moves less than a cell meanwhile.
    private static let period: Duration = .milliseconds(100)
    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the map on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (MapTrajectoryPresenter) -> any MapTrajectoryView) -> Module {
        let tasks = TaskBag()
        let pacemaker = dependency.pacemaker
        let interactor = MapTrajectoryInteractor(
            fleet: dependency.fleet, desk: dependency.desk, clock: pacemaker.clock, files: dependency.files)
        let presenter = MapTrajectoryPresenter(
            interactor: interactor, router: MapTrajectoryRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        presenter.begin()
        tasks.start { [weak presenter] in
            while await pacemaker.pause(Self.period) {
                guard let presenter else { return }
                presenter.refresh()
            }
        }
        // What flies goes on when the map is left: it is the vehicle that follows it, and the frame's F7 stops it.
        return Module(
            .mapTrajectory, view: view, onStop: { [weak presenter] _ in presenter?.stopped() },
            onDetach: { tasks.cancelAll() })
    }
}
