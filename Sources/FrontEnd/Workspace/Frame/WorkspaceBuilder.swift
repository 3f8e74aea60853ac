public import UAVLink
public import FlightControl
public import ModeKit

/// Builds the workspace around every screen.
@MainActor
public struct WorkspaceBuilder {
    /// The dependencies of the workspace.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// The time source.
        public var timeSource: any TimeSource
        /// Makes the instance of a mode.
        public var makeMode: WorkspaceRouter.Maker

        /// The dependencies of the workspace.
        public init(fleet: Fleet, timeSource: any TimeSource, makeMode: @escaping WorkspaceRouter.Maker) {
            self.fleet = fleet
            self.timeSource = timeSource
            self.makeMode = makeMode
        }
    }

    /// The workspace as built.
    @MainActor
    public struct Workspace {
        /// Receives intents.
        public let presenter: WorkspacePresenter
        /// The stage, on which the first mode must be opened.
        public let stage: any Stage
    }

    /// The least interval of updates of age and other values: faster changes are not readable.
    private static let shortest: Duration = .milliseconds(100)
    /// The interval of updates without telemetry.
    private static let longest: Duration = .milliseconds(200)

    private let dependency: Dependency

    /// Creates a builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the workspace with the view that `makeView` makes for its presenter.
    public func build(view makeView: (WorkspacePresenter) -> any WorkspaceView) -> Workspace {
        let tasks = TaskBag()
        let timeSource = dependency.timeSource
        let interactor = WorkspaceInteractor(fleet: dependency.fleet, clock: timeSource.clock)
        let router = WorkspaceRouter(make: dependency.makeMode, hasVehicle: { interactor.hasVehicle })
        let presenter = WorkspacePresenter(
            interactor: interactor, router: router, tasks: tasks, clock: timeSource.clock)
        router.presenter = presenter
        presenter.view = makeView(presenter)
        presenter.updates = dependency.fleet.updates.observe(
            .telemetry, atMostEvery: Self.shortest, atLeastEvery: Self.longest
        ) { [weak presenter] in presenter?.refresh() }
        return Workspace(presenter: presenter, stage: router)
    }
}
