public import UAVLink
public import FlightControl
public import ModeKit
public import UAVCore

/// Wires the telemetry screen.
@MainActor
public struct TelemetryBuilder {
    /// What telemetry needs.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// Where the time comes from.
        public var pacemaker: any Pacemaker
        /// Makes what watches further topics of a vehicle; asked when the person adds the first one.
        public var topicWatch: (LoggedInVehicle) -> any TopicWatching

        /// What telemetry needs.
        public init(
            fleet: Fleet, pacemaker: any Pacemaker = SystemPacemaker(),
            topicWatch: @escaping (LoggedInVehicle) -> any TopicWatching
        ) {
            self.fleet = fleet
            self.pacemaker = pacemaker
            self.topicWatch = topicWatch
        }
    }

    /// 20 looks a second.
    private static let period: Duration = .milliseconds(50)
    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires telemetry on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (TelemetryPresenter) -> any TelemetryView) -> Module {
        let tasks = TaskBag()
        let pacemaker = dependency.pacemaker
        let interactor = TelemetryInteractor(
            fleet: dependency.fleet, clock: pacemaker.clock, makeWatch: dependency.topicWatch)
        let presenter = TelemetryPresenter(
            interactor: interactor, router: TelemetryRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        presenter.look()
        tasks.start { [weak presenter] in
            while await pacemaker.pause(Self.period) {
                guard let presenter else { return }
                presenter.look()
            }
        }
        return Module(.telemetry, view: view) {
            tasks.cancelAll()
            interactor.end()
        }
    }
}
