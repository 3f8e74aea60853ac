internal import MRS
internal import MRSMessages
public import PointCloud
public import ROS1
public import ROSMessages
public import Simulation
internal import Synchronization
internal import UAVLink
internal import XMLRPC

/// Runs the simulated hexacopter as a ROS node with the interface of the real flight stack: its services, its topics at
/// their rates, its refusals. An unmodified ROS installation can call, echo and record it.
public final class SimulatedVehicleNode: Sendable {
    /// How it runs.
    public struct Settings: Sendable {
        /// Simulated seconds per second of the clock; unless it is 1, time is published on `/clock`.
        public var speed = 1.0
        /// Whether time is published on `/clock` at speed 1, too.
        public var usesSimulatedTime = false
        /// How far simulated time is behind the wall clock when it begins; it is then published on `/clock`. `nil`: it begins at zero.
        ///
        /// Simulators of the real flight stack begin with the wall clock and fall behind.
        public var clockLag: Duration?
        /// Receives log lines.
        public var log: @Sendable (String) -> Void = { _ in }
        /// How much later every service of the flight stack answers; the request acts at once.
        public var answerDelay: Duration = .zero
        /// A map, metres in `world_origin`: published latched on `map/points`, as by a mapping stack.
        public var map: PointCloud?
        /// The path of the world file that the configuration was read from, for the parameters that the flight stack has; `nil`:
        /// there is none.
        public var worldPath: String?

        /// Real time, without a log.
        public init() {}
    }

    private let node: ROSNode
    private let simulator: RunningSimulator
    private let log: SimulatorLog
    private let vehicle: String
    private let settings: Settings
    private let services: VehicleServices
    private let subscriptions: [ROSSubscription]
    private let isStopping = Atomic(false)

    /// Creates the node and advertises its services and topics; time is stopped before ``run()``.
    ///
    /// - Throws: ``ROSMessages/ROSError`` if the node cannot be created.
    public init(
        _ simulator: HexacopterSimulator, configuration: ROSConfiguration, settings: Settings = Settings()
    ) throws(ROSError) {
        node = try ROSNode(configuration: configuration)
        self.simulator = RunningSimulator(simulator, speed: settings.speed)
        log = try SimulatorLog(node, write: settings.log)
        self.settings = settings
        vehicle = simulator.configuration.vehicle
        services = try VehicleServices(
            node: node, vehicle: vehicle, simulator: self.simulator, log: log, answerDelay: settings.answerDelay)
        subscriptions = try Self.listen(node, vehicle, self.simulator, log)
    }

    /// The references that the stack also accepts as topics: no reply, least delay.
    private static func listen(
        _ node: ROSNode, _ vehicle: String, _ simulator: RunningSimulator, _ log: SimulatorLog
    ) throws(ROSError) -> [ROSSubscription] {
        // There is no caller to answer, so only refusals are logged.
        let take: @Sendable (String, Simulation.ServiceCall) -> Void = { topic, request in
            let answer = simulator.now { $0.call(request) }
            if !answer.success { log.say(.warning, "topic \(topic): \(answer.message)") }
        }
        let prefix = "/\(vehicle)/control_manager/"
        return [
            try node.subscribe(prefix + "velocity_reference", type: MRSMsgs.VelocityReferenceStamped.self) {
                take("velocity_reference", .velocityReference(VelocityReference($0)))
            },
            try node.subscribe(prefix + "reference", type: MRSMsgs.ReferenceStamped.self) {
                take("reference", .reference(PlaceReference($0.reference, frame: $0.header.frameID)))
            },
            try node.subscribe(prefix + "trajectory_reference", type: MRSMsgs.TrajectoryReference.self) {
                take("trajectory_reference", .trajectoryReference(TrajectoryReference($0)))
            },
        ]
    }

    /// Runs until the task is cancelled or ROS shuts the node down; then everything is unregistered.
    ///
    /// - Throws: ``ROSMessages/ROSError``. An absent master is no error: the node registers when it appears.
    public func run() async throws(ROSError) {
        let publishesClock = settings.usesSimulatedTime || settings.clockLag != nil || settings.speed != 1
        let topics = try VehicleTopics(
            node: node, vehicle: vehicle, simulator: simulator, publishesClock: publishesClock,
            clockBeginSeconds: settings.clockLag.map { Self.wallSeconds - $0.inSeconds } ?? 0)
        let map = try settings.map.map { cloud throws(ROSError) in
            try MapPublisher(cloud, node: node, vehicle: vehicle)
        }
        simulator.start()
        let thread = Self.publish(topics)
        async let announced: Void = announce(publishesClock)
        await withTaskCancellationHandler {
            await node.waitForShutdown()
        } onCancel: {
            isStopping.store(true, ordering: .relaxed)
            let node = node
            Task { await node.shutdown() }
        }
        await thread.end()
        _ = await announced
        await node.shutdown()
        withExtendedLifetime((services.servers, subscriptions, map)) {}
        settings.log("ended")
    }

    /// Seconds since 1970.
    private static var wallSeconds: Double {
        let now = ROSClock().now
        return Double(now.seconds) + Double(now.nanoseconds) / 1e9
    }

    private var shouldStop: Bool { isStopping.load(ordering: .relaxed) || node.isShutDown }

    /// Timeout of one attempt to reach the master.
    private static let registrationTimeout: Duration = .seconds(2)

    private func announce(_ publishesClock: Bool) async {
        var hasLoggedWaiting = false
        while !shouldStop {
            do {
                try await node.waitForRegistration(within: Self.registrationTimeout)
                if publishesClock { try await node.parameters.set("/use_sim_time", to: .bool(true)) }
                try await nameWorld()
                log.say(.information, "\(vehicle) is ready at \(node.master.uri)")
                return
            } catch {
                if !hasLoggedWaiting, !shouldStop { log.say(.warning, "waiting for the master: \(error)") }
                hasLoggedWaiting = true
            }
        }
    }

    /// Sets the parameters with the path of the world file, or removes those of an earlier vehicle of the name.
    private func nameWorld() async throws(ROSError) {
        for manager in ["control_manager", "estimation_manager"] {
            let name = "/\(vehicle)/\(manager)/world_config"
            if let path = settings.worldPath {
                try await node.parameters.set(name, to: .string(path))
            } else {
                try await node.parameters.remove(name)
            }
        }
    }

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
