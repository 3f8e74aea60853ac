public import FlightControl
internal import FlightRecorder
public import LatencyMeasurement
public import ModeKit
public import RouteFlight
public import UAVLink

/// Wires the latency laboratory.
@MainActor
public struct LatencyLabBuilder {
    /// What the laboratory needs.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// What stays when the screen is left.
        public var desk: LatencyDesk
        /// Where what came out is written to.
        public var files: any FileAccess
        /// Where the time comes from.
        public var pacemaker: any Pacemaker
        /// Makes what measures a vehicle.
        public var makeMeasuring: LatencyLabInteractor.Maker

        /// What the laboratory needs.
        public init(
            fleet: Fleet, desk: LatencyDesk, files: any FileAccess, pacemaker: any Pacemaker = SystemPacemaker(),
            makeMeasuring: @escaping LatencyLabInteractor.Maker = LatencyLabBuilder.measuring
        ) {
            self.fleet = fleet
            self.desk = desk
            self.files = files
            self.pacemaker = pacemaker
            self.makeMeasuring = makeMeasuring
        }
    }

    /// Measures through links of its own; a vehicle that is simulated in this program has none.
    public static func measuring(_ vehicle: LoggedInVehicle) -> (any Measuring)? {
        guard vehicle.link.kind != .sim else { return nil }
        // Whoever has the flight recorded has what is measured recorded, too.
        let recorder = (vehicle.link as? RecordingLink)?.recorder
        return vehicle.connector.map { VehicleMeasuring($0, recorder: recorder) }
    }

    /// Five looks a second: what changes faster cannot be read, and is drawn by the processor that measures.
    private static let period: Duration = .milliseconds(200)
    /// How long a measurement may take to end when the program does: its links say goodbye.
    private static let patience: Duration = .seconds(3)
    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the module on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (LatencyLabPresenter) -> any LatencyLabView) -> Module {
        let tasks = TaskBag()
        let (pacemaker, desk) = (dependency.pacemaker, dependency.desk)
        let interactor = LatencyLabInteractor(
            fleet: dependency.fleet, desk: desk, files: dependency.files, clock: pacemaker.clock,
            make: dependency.makeMeasuring)
        let presenter = LatencyLabPresenter(
            interactor: interactor, router: LatencyLabRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        presenter.refresh()
        tasks.start { [weak presenter] in
            while await pacemaker.pause(Self.period) {
                guard let presenter else { return }
                presenter.look()
            }
        }
        return Module(
            .latencyLab, view: view, onStop: { [weak presenter] in presenter?.stop($0) },
            onDetach: { tasks.cancelAll() },
            settle: {
                let deadline = pacemaker.clock.now + Self.patience
                while desk.isBusy, pacemaker.clock.now < deadline, await pacemaker.pause(.milliseconds(50)) {}
            })
    }
}
