package import FlightControl
package import FlightRecorder
package import LatencyMeasurement
package import ModeKit
package import RouteFlight
package import UAVLink
internal import VehicleAccess

/// Builds the latency laboratory.
@MainActor
package struct LatencyLabBuilder {
    /// The dependencies of the laboratory.
    package struct Dependency {
        /// The vehicles.
        package var fleet: Fleet
        /// The state that is kept while the screen is closed.
        package var desk: LatencyLabStore
        /// Writes the result files.
        package var files: any FileAccess
        /// The source of time and of pauses.
        package var timeSource: any TimeSource
        /// Creates the measuring of a vehicle.
        package var makeMeasuring: LatencyLabInteractor.Maker

        /// The dependencies of the laboratory.
        package init(
            fleet: Fleet, desk: LatencyLabStore, files: any FileAccess, timeSource: any TimeSource = SystemTimeSource(),
            makeMeasuring: @escaping LatencyLabInteractor.Maker
        ) {
            self.fleet = fleet
            self.desk = desk
            self.files = files
            self.timeSource = timeSource
            self.makeMeasuring = makeMeasuring
        }
    }

    /// Creates a measuring that opens its own links; `nil` for a vehicle that is simulated in this program, or is
    /// reached by its own protocol only.
    ///
    /// - Parameter recordings: a running recording of the vehicle includes the measurement.
    package static func measuring(_ vehicle: LoggedInVehicle, recordings: Recordings?) -> (any Measuring)? {
        guard ![.sim, .direct].contains(vehicle.link.kind) else { return nil }
        let recorder = recordings?.running(vehicle.profile.vehicle)
        return vehicle.connector.map { VehicleMeasuring($0, recorder: recorder) }
    }

    /// The refresh period: faster changes cannot be read, and drawing competes with the measurement for the processor.
    private static let period: Duration = .milliseconds(200)
    /// The timeout for closing the links of a measurement when the program ends.
    private static let timeout: Duration = .seconds(3)
    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage, with the view that `makeView` creates for the presenter.
    package func build(on stage: any Stage, view makeView: (LatencyLabPresenter) -> any LatencyLabView) -> ModeInstance
    {
        let tasks = TaskBag()
        let (timeSource, desk) = (dependency.timeSource, dependency.desk)
        let interactor = LatencyLabInteractor(
            fleet: dependency.fleet, desk: desk, files: dependency.files, clock: timeSource.clock,
            make: dependency.makeMeasuring)
        let presenter = LatencyLabPresenter(
            interactor: interactor, router: ModeRouter(stage: stage), tasks: tasks)
        return ModeInstance(
            .latencyLab, of: presenter, view: makeView(presenter), fleet: dependency.fleet, atMostEvery: Self.period,
            atLeastEvery: Self.period, onStop: { [weak presenter] in presenter?.stop($0) },
            onDetach: { tasks.cancelAll() },
            settle: {
                let deadline = timeSource.clock.now + Self.timeout
                while desk.isBusy, timeSource.clock.now < deadline, await timeSource.pause(.milliseconds(50)) {}
            })
    }
}
