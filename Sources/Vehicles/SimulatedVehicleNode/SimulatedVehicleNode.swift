public import PointCloud
public import ROS1
public import Simulation
internal import Synchronization
internal import UAVCore
internal import UAVLink

/// The simulated hexacopter as a ROS node with the interface of the real flight stack: its services, its topics at their
/// rates, its refusals. An untouched ROS installation can call, echo and record it.
public final class SimulatedVehicleNode: Sendable {
    /// How it runs.
    public struct Settings: Sendable {
        /// Simulated seconds in a second of the clock; other than 1, time is told on `/clock`.
        public var speed = 1.0
        /// Whether time is told on `/clock` at speed 1, too.
        public var usesSimulatedTime = false
        /// Where it says what it does, one line at a time.
        public var log: @Sendable (String) -> Void = { _ in }
        /// A map, metres in `world_origin`: published latched on `map/points`, as a mapping stack would.
        public var map: PointCloud?

        /// Real time, saying nothing.
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

    /// Makes the node and offers everything; time stands still before ``run()``.
    ///
    /// - Throws: ``ROS1/ROSError`` when the node cannot be made.
    public init(
        _ simulator: HexacopterSimulator, configuration: ROSConfiguration, settings: Settings = Settings()
    ) throws(ROSError) {
        node = try ROSNode(configuration: configuration)
        self.simulator = RunningSimulator(simulator, speed: settings.speed)
        log = try SimulatorLog(node, write: settings.log)
        self.settings = settings
        vehicle = simulator.configuration.vehicle
        services = try VehicleServices(
            node: node, vehicle: vehicle, simulator: self.simulator, log: log)
        subscriptions = try Self.listen(node, vehicle, self.simulator, log)
    }

    /// The references that the stack also takes as topics: no reply, least delay.
    private static func listen(
        _ node: ROSNode, _ vehicle: String, _ simulator: RunningSimulator, _ log: SimulatorLog
    ) throws(ROSError) -> [ROSSubscription] {
        // Nobody waits for the answer, so only a refusal is worth a line.
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

    /// Flies until the task is cancelled or ROS tells the node to end; then everything is unregistered.
    ///
    /// - Throws: ``ROS1/ROSError``. A master that is not there (yet) is no error: the node registers when it comes.
    public func run() async throws(ROSError) {
        let publishesClock = settings.usesSimulatedTime || settings.speed != 1
        let topics = try VehicleTopics(
            node: node, vehicle: vehicle, simulator: simulator, publishesClock: publishesClock)
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

    private var mustEnd: Bool { isStopping.load(ordering: .relaxed) || node.isShutDown }

    /// How long one try to reach the master may take.
    private static let registrationTry: Duration = .seconds(2)

    private func announce(_ publishesClock: Bool) async {
        var isWaitingTold = false
        while !mustEnd {
            do {
                try await node.waitForRegistration(within: Self.registrationTry)
                if publishesClock { try await node.parameters.set("/use_sim_time", to: .bool(true)) }
                log.say(.information, "\(vehicle) is ready at \(node.master.uri)")
                return
            } catch {
                if !isWaitingTold, !mustEnd { log.say(.warning, "waiting for the master: \(error)") }
                isWaitingTold = true
            }
        }
    }

    /// Rest between two rounds: short against the period of the fastest topic (350 Hz).
    private static let busyRest: Duration = .microseconds(900)
    /// When nobody listens.
    private static let idleRest: Duration = .milliseconds(10)

    /// Lets time pass and publishes, on a thread of its own.
    private static func publish(_ topics: consuming sending VehicleTopics) -> SimulationThread {
        let held = Held(topics)
        return SimulationThread {
            held.topics.withLock { topics in
                topics.publish()
                return topics.isBusy ? busyRest : idleRest
            }
        }
    }

    /// Only the thread uses it; the lock is what makes that plain.
    private final class Held: Sendable {
        let topics: Mutex<VehicleTopics>
        init(_ topics: consuming sending VehicleTopics) { self.topics = Mutex(topics) }
    }
}
