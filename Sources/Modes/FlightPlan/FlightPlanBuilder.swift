package import FlightControl
package import ModeKit
package import RouteFlight
package import UAVLink

/// Builds the mode for flight plans.
@MainActor
package struct FlightPlanBuilder {
    /// The dependencies of the mode.
    package struct Dependency {
        /// The vehicles; the selected one flies the plan.
        package var fleet: Fleet
        /// What is kept while the mode is closed.
        package var document: FlightPlanDocument
        /// Reads and writes plans and routes.
        package var files: any FileAccess
        package var timeSource: any TimeSource

        /// The dependencies of the mode.
        package init(
            fleet: Fleet, document: FlightPlanDocument, files: any FileAccess,
            timeSource: any TimeSource = SystemTimeSource()
        ) {
            self.fleet = fleet
            self.document = document
            self.files = files
            self.timeSource = timeSource
        }
    }

    /// A step takes a second or more; the state of the drone comes ten times a second.
    private static let period: Duration = .milliseconds(100)
    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage; `makeView` makes the view for its presenter.
    package func build(on stage: any Stage, view makeView: (FlightPlanPresenter) -> any FlightPlanView) -> ModeInstance
    {
        let tasks = TaskBag()
        let interactor = FlightPlanInteractor(
            fleet: dependency.fleet, document: dependency.document, files: dependency.files,
            clock: dependency.timeSource.clock)
        let router = ModeRouter(stage: stage)
        let presenter = FlightPlanPresenter(
            interactor: interactor, router: router, tasks: tasks,
            flying: FlightTasks(
                fleet: dependency.fleet, tasks: tasks, clock: dependency.timeSource.clock, tell: router.say))
        return ModeInstance(
            .flightPlan, of: presenter, view: makeView(presenter), fleet: dependency.fleet, atMostEvery: Self.period,
            atLeastEvery: Self.period, onStop: { [weak presenter] in presenter?.stop($0) },
            onDetach: {
                if interactor.detach() { router.say(FlightPlanTexts.stoppedByLeaving) }
                tasks.cancelAll()
            }, settle: { await interactor.settle() })
    }
}
