package import FlightControl
package import MRS
package import ModeKit
package import UAVLink

/// Assembles the telemetry screen.
@MainActor
package struct TelemetryBuilder {
    /// The dependencies of telemetry.
    package struct Dependency {
        /// The vehicles.
        package var fleet: Fleet
        package var timeSource: any TimeSource
        /// State that is kept when the screen is left.
        package var desk: TelemetryStore
        /// Creates the topic watch of a vehicle, when the user adds the first topic.
        package var topicWatch: (LoggedInVehicle) -> any TopicWatching
        /// Examines both computers; `nil` leaves them out.
        package var hostLoads: HostLoads.Query?

        package init(
            fleet: Fleet, timeSource: any TimeSource = SystemTimeSource(), desk: TelemetryStore,
            topicWatch: @escaping (LoggedInVehicle) -> any TopicWatching, hostLoads: HostLoads.Query? = nil
        ) {
            self.hostLoads = hostLoads
            self.fleet = fleet
            self.timeSource = timeSource
            self.desk = desk
            self.topicWatch = topicWatch
        }
    }

    /// Numbers that change more than ten times a second cannot be read.
    private static let shortest: Duration = .milliseconds(100)
    /// The interval in which ages grow without telemetry.
    private static let longest: Duration = .milliseconds(200)
    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Assembles telemetry on a stage; `makeView` creates the view for its presenter.
    package func build(on stage: any Stage, view makeView: (TelemetryPresenter) -> any TelemetryView) -> ModeInstance {
        let tasks = TaskBag()
        let interactor = TelemetryInteractor(
            fleet: dependency.fleet, clock: dependency.timeSource.clock, desk: dependency.desk,
            makeWatch: dependency.topicWatch)
        let presenter = TelemetryPresenter(
            interactor: interactor, router: ModeRouter(stage: stage), tasks: tasks)
        if let query = dependency.hostLoads {
            let (fleet, timeSource) = (dependency.fleet, dependency.timeSource)
            tasks.start { [weak presenter] in
                repeat {
                    guard let vehicle = fleet.selected else { continue }
                    let loads = await query(vehicle)
                    if fleet.selectedID == vehicle.id { presenter?.take(loads) }
                } while await timeSource.pause(HostLoads.period)
            }
        }
        return ModeInstance(
            .telemetry, of: presenter, view: makeView(presenter), fleet: dependency.fleet, atMostEvery: Self.shortest,
            atLeastEvery: Self.longest,
            onDetach: {
                tasks.cancelAll()
                interactor.end()
            })
    }
}
