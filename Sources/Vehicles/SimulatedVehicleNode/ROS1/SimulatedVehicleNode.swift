public import PointCloud
public import ROS1
public import ROSMessages
public import Simulation
internal import Synchronization
internal import UAVLink
internal import XMLRPC

/// Runs the simulated hexacopter as a ROS 1 node with the interface of the real flight stack: its services, its
/// topics at their rates, its refusals. An unmodified ROS installation can call, echo and record it.
public final class SimulatedVehicleNode: Sendable {
    /// How it runs.
    public struct Settings: Sendable {
        /// Simulated seconds per second of the clock; unless it is 1, time is published on `/clock`.
        public var speed = 1.0
        /// Whether time is published on `/clock` at speed 1, too.
        public var usesSimulatedTime = false
        /// How far simulated time is behind the wall clock when it begins; it is then published on `/clock`. `nil`:
        /// it begins at zero.
        ///
        /// Simulators of the real flight stack begin with the wall clock and fall behind.
        public var clockLag: Duration?
        /// Receives log lines.
        public var log: @Sendable (String) -> Void = { _ in }
        /// How much later every service of the flight stack answers; the request acts at once.
        public var answerDelay: Duration = .zero
        /// A map, metres in `world_origin`: published latched on `map/points`, as by a mapping stack.
        public var map: PointCloud?
        /// The path of the world file that the configuration was read from, for the parameters that the flight stack
        /// has; `nil`: there is none.
        public var worldPath: String?

        /// Real time, without a log.
        public init() {}
    }

    private let node: ROSNode
    private let offered: OfferedVehicle
    private let settings: Settings
    private let isStopping = Atomic(false)

    /// Creates the node and advertises its services and topics; time is stopped before ``run()``.
    ///
    /// - Throws: ``ROSMessages/ROSError`` if the node cannot be created.
    public init(
        _ simulator: HexacopterSimulator, configuration: ROSConfiguration, settings: Settings = Settings()
    ) throws(ROSError) {
        let middleware = try ROS1Middleware(configuration)
        node = middleware.node
        offered = try OfferedVehicle(simulator, behind: middleware, settings: settings)
        self.settings = settings
    }

    /// Runs until the task is cancelled or ROS shuts the node down; then everything is unregistered.
    ///
    /// - Throws: ``ROSMessages/ROSError``. An absent master is no error: the node registers when it appears.
    public func run() async throws(ROSError) {
        let publishing = try offered.begin()
        async let announced: Void = announce()
        await withTaskCancellationHandler {
            await node.waitForShutdown()
        } onCancel: {
            isStopping.store(true, ordering: .relaxed)
            let node = node
            Task { await node.shutdown() }
        }
        await publishing.end()
        _ = await announced
        await node.shutdown()
        settings.log("ended")
    }

    private var shouldStop: Bool { isStopping.load(ordering: .relaxed) || node.isShutDown }

    /// Timeout of one attempt to reach the master.
    private static let registrationTimeout: Duration = .seconds(2)

    private func announce() async {
        var hasLoggedWaiting = false
        while !shouldStop {
            do {
                try await node.waitForRegistration(within: Self.registrationTimeout)
                if settings.publishesClock { try await node.parameters.set("/use_sim_time", to: .bool(true)) }
                try await nameWorld()
                offered.log.say(.information, "\(offered.name) is ready at \(node.master.uri)")
                return
            } catch {
                if !hasLoggedWaiting, !shouldStop { offered.log.say(.warning, "waiting for the master: \(error)") }
                hasLoggedWaiting = true
            }
        }
    }

    /// Sets the parameters with the path of the world file, or removes those of an earlier vehicle of the name.
    private func nameWorld() async throws(ROSError) {
        for manager in ["control_manager", "estimation_manager"] {
            let name = "/\(offered.name)/\(manager)/world_config"
            if let path = settings.worldPath {
                try await node.parameters.set(name, to: .string(path))
            } else {
                try await node.parameters.remove(name)
            }
        }
    }
}
