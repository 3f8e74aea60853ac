package import UAVLink
package import FlightControl
package import FlightRecorder
package import ModeKit

/// Builds the workspace around every screen.
@MainActor
package struct WorkspaceBuilder {
    /// The dependencies of the workspace.
    package struct Dependency {
        /// The vehicles.
        package var fleet: Fleet
        package var timeSource: any TimeSource
        /// Where flights are recorded; `nil` if they cannot be.
        package var recordings: Recordings?
        /// Makes the instance of a mode.
        package var makeMode: WorkspaceRouter.Maker
        /// What would be lost if the program ended now: `the map's route of 3 points`.
        package var losses: @MainActor () -> [String]

        /// The dependencies of the workspace.
        package init(
            fleet: Fleet, timeSource: any TimeSource, recordings: Recordings? = nil,
            losses: @escaping @MainActor () -> [String] = { [] },
            makeMode: @escaping WorkspaceRouter.Maker
        ) {
            self.fleet = fleet
            self.timeSource = timeSource
            self.recordings = recordings
            self.makeMode = makeMode
            self.losses = losses
        }
    }

    /// The workspace as built.
    @MainActor
    package struct Workspace {
        /// Receives intents.
        package let presenter: WorkspacePresenter
        /// The stage, on which the first mode must be opened.
        package let stage: any Stage
    }

    /// The least interval of updates of age and other values: faster changes are not readable.
    private static let shortest: Duration = .milliseconds(100)
    /// The interval of updates without telemetry.
    private static let longest: Duration = .milliseconds(200)

    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the workspace with the view that `makeView` makes for its presenter.
    package func build(view makeView: (WorkspacePresenter) -> any WorkspaceView) -> Workspace {
        let tasks = TaskBag()
        let timeSource = dependency.timeSource
        let fleet = dependency.fleet
        let router = WorkspaceRouter(make: dependency.makeMode, hasVehicle: { fleet.selected != nil })
        let flight = FlightTasks(fleet: fleet, tasks: tasks, clock: timeSource.clock) { [weak router] in router?.say($0)
        }
        let interactor = WorkspaceInteractor(
            fleet: fleet, clock: timeSource.clock, flight: flight, recordings: dependency.recordings)
        let presenter = WorkspacePresenter(
            interactor: interactor, router: router, tasks: tasks, clock: timeSource.clock, losses: dependency.losses)
        router.presenter = presenter
        presenter.view = makeView(presenter)
        presenter.updates = dependency.fleet.updates.observe(
            .telemetry, atMostEvery: Self.shortest, atLeastEvery: Self.longest
        ) { [weak presenter] in presenter?.refresh() }
        return Workspace(presenter: presenter, stage: router)
    }
}
