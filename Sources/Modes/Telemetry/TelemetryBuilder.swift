public import FlightControl
public import MRS
public import ModeKit
public import UAVLink

/// Assembles the telemetry screen.
@MainActor
public struct TelemetryBuilder {
    /// The dependencies of telemetry.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// The source of time.
        public var timeSource: any TimeSource
        /// Creates the topic watch of a vehicle, when the user adds the first topic.
        public var topicWatch: (LoggedInVehicle) -> any TopicWatching

        /// Creates the dependencies.
        public init(
            fleet: Fleet, timeSource: any TimeSource = SystemTimeSource(),
            topicWatch: @escaping (LoggedInVehicle) -> any TopicWatching
        ) {
            self.fleet = fleet
            self.timeSource = timeSource
            self.topicWatch = topicWatch
        }
    }

    /// Updates at 20 Hz.
    private static let period: Duration = .milliseconds(50)
    private let dependency: Dependency

    /// Creates a builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Assembles telemetry on a stage; `makeView` creates the view for its presenter.
    public func build(on stage: any Stage, view makeView: (TelemetryPresenter) -> any TelemetryView) -> ModeInstance {
        let tasks = TaskBag()
        let timeSource = dependency.timeSource
        let interactor = TelemetryInteractor(
            fleet: dependency.fleet, clock: timeSource.clock, makeWatch: dependency.topicWatch)
        let presenter = TelemetryPresenter(
            interactor: interactor, router: TelemetryRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        presenter.look()
        tasks.start { [weak presenter] in
            while await timeSource.pause(Self.period) {
                guard let presenter else { return }
                presenter.look()
            }
        }
        return ModeInstance(.telemetry, view: view) {
            tasks.cancelAll()
            interactor.end()
        }
    }
}
