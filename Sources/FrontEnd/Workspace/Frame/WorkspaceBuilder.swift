public import UAVLink
public import FlightControl
public import ModeKit

/// Wires the frame around every screen.
@MainActor
public struct WorkspaceBuilder {
    /// What the frame needs.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// Where the time comes from.
        public var pacemaker: any Pacemaker
        /// Makes the module of a mode.
        public var makeModule: WorkspaceRouter.Maker

        /// What the frame needs.
        public init(fleet: Fleet, pacemaker: any Pacemaker, makeModule: @escaping WorkspaceRouter.Maker) {
            self.fleet = fleet
            self.pacemaker = pacemaker
            self.makeModule = makeModule
        }
    }

    /// The frame, wired.
    @MainActor
    public struct Workspace {
        /// Takes intents.
        public let presenter: WorkspacePresenter
        /// The stage, on which the first mode is to be opened.
        public let stage: any Stage
    }

    /// How often age and figures are brought up to date: what changes faster cannot be read.
    static let refreshPeriod: Duration = .milliseconds(100)

    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the frame with the view that `makeView` makes for its presenter.
    public func build(view makeView: (WorkspacePresenter) -> any WorkspaceView) -> Workspace {
        let tasks = TaskBag()
        let pacemaker = dependency.pacemaker
        let interactor = WorkspaceInteractor(fleet: dependency.fleet, clock: pacemaker.clock)
        let router = WorkspaceRouter(make: dependency.makeModule, hasVehicle: { interactor.hasVehicle })
        let presenter = WorkspacePresenter(
            interactor: interactor, router: router, tasks: tasks, clock: pacemaker.clock)
        router.presenter = presenter
        presenter.view = makeView(presenter)
        tasks.start { [weak presenter] in
            while await pacemaker.pause(Self.refreshPeriod) {
                guard let presenter else { return }
                presenter.refresh()
            }
        }
        return Workspace(presenter: presenter, stage: router)
    }
}
