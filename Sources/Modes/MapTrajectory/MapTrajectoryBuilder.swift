package import UAVLink
package import FlightControl
package import ModeKit
package import RouteFlight

/// Builds the map mode.
@MainActor
package struct MapTrajectoryBuilder {
    /// The dependencies of the map mode.
    package struct Dependency {
        /// The vehicles; the selected one is flown.
        package var fleet: Fleet
        /// State that is kept when the map is left.
        package var desk: RouteDocument
        /// Reads and writes files.
        package var files: any FileAccess
        package var timeSource: any TimeSource

        /// The dependencies of the map mode.
        package init(
            fleet: Fleet, desk: RouteDocument, files: any FileAccess = LocalFiles(),
            timeSource: any TimeSource = SystemTimeSource()
        ) {
            self.fleet = fleet
            self.desk = desk
            self.files = files
            self.timeSource = timeSource
        }
    }

    /// Between two refreshes a vehicle at 4 m/s moves 0.4 m, less than a cell at the default scale.
    private static let shortest: Duration = .milliseconds(100)
    /// The interval in which a position becomes stale, and progress is shown, without telemetry.
    private static let longest: Duration = .milliseconds(200)
    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage; `makeView` makes the view for its presenter.
    package func build(on stage: any Stage, view makeView: (MapTrajectoryPresenter) -> any MapTrajectoryView)
        -> ModeInstance
    {
        let tasks = TaskBag()
        let interactor = MapTrajectoryInteractor(
            fleet: dependency.fleet, desk: dependency.desk, clock: dependency.timeSource.clock,
            files: dependency.files)
        let presenter = MapTrajectoryPresenter(
            interactor: interactor, router: ModeRouter(stage: stage), tasks: tasks)
        // A flight continues when the map is left: the vehicle follows the trajectory by itself, and F7 stops it.
        return ModeInstance(
            .mapTrajectory, of: presenter, view: makeView(presenter), fleet: dependency.fleet,
            atMostEvery: Self.shortest, atLeastEvery: Self.longest,
            onStop: { [weak presenter] _ in presenter?.stopped() }, onDetach: { tasks.cancelAll() })
    }
}
