internal import ROS2Interfaces
public import ROS2Node
public import ROSMessages
public import Simulation
internal import Synchronization
internal import UAVLink
internal import Zenoh

/// Runs the simulated hexacopter in ROS 2 Jazzy behind a Zenoh router: the same vehicle, topics, services and
/// refusals as ``SimulatedVehicleNode`` in ROS 1, under the names and types that the real flight stack has there.
public final class SimulatedVehicleROS2Node: Sendable {
    private let session: ROS2Session
    private let offered: OfferedVehicle
    private let settings: SimulatedVehicleNode.Settings
    private let place: String

    /// Begins to connect and declares its nodes, services and topics; time is stopped before ``run()``.
    ///
    /// - Parameter configuration: the router and the domain. Its events are logged, too.
    /// - Throws: ``ROSMessages/ROSError`` for a name that is none in ROS 2, or without threads.
    public init(
        _ simulator: HexacopterSimulator, configuration: ROS2Configuration,
        settings: SimulatedVehicleNode.Settings = SimulatedVehicleNode.Settings()
    ) throws(ROSError) {
        var configuration = configuration
        let others = configuration.onEvent
        let announced = Announced()
        configuration.onEvent = { event in
            if announced.isNew(event) { settings.log("\(event)") }
            others?(event)
        }
        let session = try ROS2Session(configuration: configuration)
        var parameters: [String: ParameterContent] = ["use_sim_time": .bool(settings.publishesClock)]
        parameters["world_config"] = settings.worldPath.map { .string($0) }
        let middleware = try ROS2Middleware(
            session, vehicle: simulator.configuration.vehicle, parameters: parameters)
        self.session = session
        self.settings = settings
        place = "tcp/\(configuration.zenoh.host):\(configuration.zenoh.port)"
        offered = try OfferedVehicle(simulator, behind: middleware, settings: settings)
    }

    /// What was received and refused, by reason.
    public var refused: [ROS2Refusal: UInt64] { session.refused }

    /// Timeout of one attempt to reach the router.
    private static let routerTimeout: Duration = .seconds(2)

    /// Runs until the task is cancelled; then everything is withdrawn.
    ///
    /// - Throws: ``ROSMessages/ROSError``. An absent router is no error: the vehicle appears when the router does,
    ///   and again when it has restarted.
    public func run() async throws(ROSError) {
        let publishing = try offered.begin()
        while !Task.isCancelled {
            do throws(ROSError) {
                try await session.waitForRouter(within: Self.routerTimeout)
                offered.log.say(.information, "\(offered.name) is ready at \(place)")
                break
            } catch {
                if error.code == .closed { break }
            }
        }
        // Ends when the task is cancelled.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        await publishing.end()
        await session.shutdown()
        settings.log("ended")
    }
}

/// Whether an event is worth a line: an absent router is said once, and not at each attempt.
private final class Announced: Sendable {
    private let isWaiting = Atomic(false)

    func isNew(_ event: ROS2Event) -> Bool {
        switch event {
        case .router(.unreachable): return !isWaiting.exchange(true, ordering: .relaxed)
        case .router(.connected), .router(.lost): isWaiting.store(false, ordering: .relaxed)
        case .router(.forgotten), .refused, .malformedToken, .olderPeer: break
        }
        return true
    }
}
