package import UAVLink
package import FlightControl
package import ModeKit
package import RouteFlight

/// Builds the indoor mode.
@MainActor
package struct IndoorBuilder {
    /// The dependencies of the indoor mode.
    package struct Dependency {
        /// The vehicles.
        package var fleet: Fleet
        /// State that is kept when the screen is left.
        package var desk: IndoorDocument
        package var timeSource: any TimeSource
        /// Opens and fetches maps.
        package var maps: MapInteractor
        /// Files of points.
        package var files: any FileAccess
        /// Plans trajectories through a map.
        package var planner: any IndoorPlanning

        /// The dependencies of the indoor mode.
        package init(
            fleet: Fleet, desk: IndoorDocument, timeSource: any TimeSource = SystemTimeSource(),
            maps: MapInteractor = MapInteractor(), files: any FileAccess = LocalFiles(),
            planner: any IndoorPlanning = CollisionFreePlanning()
        ) {
            self.fleet = fleet
            self.desk = desk
            self.timeSource = timeSource
            self.maps = maps
            self.files = files
            self.planner = planner
        }
    }

    /// At 1 m/s a vehicle moves 0.05 m between two refreshes, a dot of the plot.
    private static let shortest: Duration = .milliseconds(50)
    /// The interval in which a position becomes stale, and progress is shown, without telemetry.
    private static let longest: Duration = .milliseconds(100)
    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage; `makeView` makes the view for its presenter.
    package func build(on stage: any Stage, view makeView: (IndoorPresenter) -> any IndoorView) -> ModeInstance {
        let tasks = TaskBag()
        let interactor = IndoorInteractor(
            fleet: dependency.fleet, desk: dependency.desk, clock: dependency.timeSource.clock,
            maps: dependency.maps, planner: dependency.planner, files: dependency.files)
        let presenter = IndoorPresenter(interactor: interactor, router: ModeRouter(stage: stage), tasks: tasks)
        // A flight continues when the screen is left, as on the map.
        return ModeInstance(
            .indoor, of: presenter, view: makeView(presenter), fleet: dependency.fleet, atMostEvery: Self.shortest,
            atLeastEvery: Self.longest, onStop: { [weak presenter] _ in presenter?.stopped() },
            onDetach: { tasks.cancelAll() })
    }
}
