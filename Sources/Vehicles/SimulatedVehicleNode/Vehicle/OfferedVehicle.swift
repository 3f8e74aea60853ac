internal import MRSMessages
internal import MRSMessagesROS2
internal import PointCloud
internal import ROSMessages
internal import Simulation
internal import Synchronization
internal import UAVLink

/// The simulated vehicle behind a middleware: what it offers, and the thread that publishes.
struct OfferedVehicle: Sendable {
    let simulator: RunningSimulator
    let log: SimulatorLog
    let name: String
    private let middleware: any VehicleMiddleware
    private let settings: SimulatedVehicleNode.Settings
    private let services: VehicleServices
    private let subscriptions: [any Sendable]

    /// Offers its services and subscribes; time is stopped before ``begin()``.
    ///
    /// - Throws: `ROSError`.
    init(
        _ simulator: HexacopterSimulator, behind middleware: any VehicleMiddleware,
        settings: SimulatedVehicleNode.Settings
    ) throws(ROSError) {
        self.simulator = RunningSimulator(simulator, speed: settings.speed)
        self.middleware = middleware
        self.settings = settings
        log = SimulatorLog(middleware, write: settings.log)
        name = simulator.configuration.vehicle
        services = try VehicleServices(
            middleware: middleware, vehicle: name, simulator: self.simulator, log: log,
            answerDelay: settings.answerDelay)
        subscriptions = try Self.listen(middleware, name, self.simulator, log)
    }

    /// The references that the stack also accepts as topics: no reply, least delay.
    private static func listen(
        _ middleware: any VehicleMiddleware, _ vehicle: String, _ simulator: RunningSimulator, _ log: SimulatorLog
    ) throws(ROSError) -> [any Sendable] {
        // There is no caller to answer, so only refusals are logged.
        let take: @Sendable (String, Simulation.ServiceCall) -> Void = { topic, request in
            let answer = simulator.now { $0.call(request) }
            if !answer.success { log.say(.warning, "topic \(topic): \(answer.message)") }
        }
        let prefix = "/\(vehicle)/control_manager/"
        return [
            try middleware.subscribe(to: prefix + "velocity_reference", type: MRSMsgs.VelocityReferenceStamped.self) {
                take("velocity_reference", .velocityReference(VelocityReference($0)))
            },
            try middleware.subscribe(to: prefix + "reference", type: MRSMsgs.ReferenceStamped.self) {
                take("reference", .reference(PlaceReference($0.reference, frame: $0.header.frameID)))
            },
            try middleware.subscribe(to: prefix + "trajectory_reference", type: MRSMsgs.TrajectoryReference.self) {
                take("trajectory_reference", .trajectoryReference(TrajectoryReference($0)))
            },
        ]
    }

    /// Publishes its topics and starts the simulated time.
    ///
    /// - Throws: `ROSError`.
    func begin() throws(ROSError) -> Publishing {
        let topics = try VehicleTopics(
            middleware: middleware, vehicle: name, simulator: simulator, publishesClock: settings.publishesClock,
            clockBeginSeconds: settings.clockLag.map { Self.wallSeconds - $0.inSeconds } ?? 0)
        let map = try settings.map.map { cloud throws(ROSError) in
            try MapPublisher(cloud, middleware: middleware, vehicle: name)
        }
        simulator.start()
        return Publishing(thread: Self.publish(topics), map: map)
    }

    /// What publishes: it is to be ended.
    struct Publishing: Sendable {
        fileprivate let thread: SimulationThread
        fileprivate let map: MapPublisher?

        /// Ends publishing; returns after the last round.
        func end() async { await thread.end() }
    }

    /// Seconds since 1970.
    private static var wallSeconds: Double { Double(WallClock.nanoseconds) / 1e9 }

    /// Pause between two rounds: short compared to the period of the fastest topic (350 Hz).
    private static let busyPause: Duration = .microseconds(900)
    /// Pause without subscribers.
    private static let idlePause: Duration = .milliseconds(10)

    /// Advances the simulation and publishes, on a dedicated thread.
    private static func publish(_ topics: consuming sending VehicleTopics) -> SimulationThread {
        let held = Held(topics)
        return SimulationThread {
            held.topics.withLock { topics in
                topics.publish()
                return topics.isBusy ? busyPause : idlePause
            }
        }
    }

    /// Used by that thread only; the lock proves it to the compiler.
    private final class Held: Sendable {
        let topics: Mutex<VehicleTopics>
        init(_ topics: consuming sending VehicleTopics) { self.topics = Mutex(topics) }
    }
}

extension SimulatedVehicleNode.Settings {
    /// Whether time is published on `/clock`.
    var publishesClock: Bool { usesSimulatedTime || clockLag != nil || speed != 1 }
}
