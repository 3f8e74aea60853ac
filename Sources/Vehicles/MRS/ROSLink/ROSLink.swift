internal import MRSMessages
public import ROS1
internal import ROSMessages
internal import Synchronization
public import UAVLink

/// Commands a vehicle as a node of its ROS graph: services over persistent connections, velocity references by topic,
/// telemetry from the vehicle's own topics.
///
/// When the master or the flight stack restarts, the node registers again and all connections recover.
public final class ROSLink: CallbackLink, ShutdownRequestLink {
    enum Phase {
        case idle
        case connecting
        case connected
        case closed
    }

    /// The node and the objects that belong to it.
    struct Graph {
        let node: ROSNode
        let services: VehicleServices
        let steering: ROSPublisher<MRSMsgs.VelocityReferenceStamped>
        var subscriptions: [ROSSubscription]
    }

    struct State {
        var phase = Phase.idle
        var graph: Graph?
        var assembler: TelemetryAssembler
        var meter = LinkMeter()
        var pacer: RateLimiter
        var mismatch: ROSError?
        /// The subscription to the setpoints that other nodes send to the vehicle.
        var watch: ROSSubscription?
        var onShutdownRequest: (@Sendable (String) -> Void)?
        /// When the master was last asked whether time is simulated.
        var askedForTimeAt: MonotonicTime?
        /// Whether `/clock` is published; `nil` until asked for.
        var hasClockTopic: Bool?
    }

    /// The vehicle's service and topic names.
    public let names: VehicleNames
    let configuration: ROSConfiguration
    let isAlone: Bool
    let clock: any MonotonicClock
    /// All commands go through it.
    let gate: CommandGate
    let broadcast = Broadcast<Telemetry>()
    let state: Mutex<State>
    let setpointsSent = Atomic<UInt64>(0)
    let setpointsExpired = Atomic<UInt64>(0)

    /// Creates a link through the ROS graph given by `configuration`, not yet connected.
    ///
    /// - Parameters:
    /// - telemetryRateHertz: at most how often telemetry is passed on, each time after a new pose.
    /// - isAlone: connecting fails if another node of the same name is in the graph.
    public init(
        names: VehicleNames, configuration: ROSConfiguration, telemetryRateHertz: Double = 50, isAlone: Bool = false,
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.isAlone = isAlone
        self.names = names
        self.clock = clock
        gate = CommandGate(clock: clock)
        let period = Duration.seconds(1 / min(max(telemetryRateHertz, 0.1), 1000))
        state = Mutex(
            State(
                assembler: TelemetryAssembler(vehicle: names.vehicle, counting: VehicleTopic.sent),
                pacer: RateLimiter(period: period, start: clock.now)))
        self.configuration = configuration
    }

    /// Directly from the ground.
    public var kind: LinkKind { .ros }

    /// Whether the flight stack accepts commands: its services are in the graph before it is ready, but do not answer.
    public var isVehicleReady: Bool { state.withLock { $0.assembler.isStackReady } }

    func connectedGraph() throws(LinkError) -> Graph {
        try state.withLock { state throws(LinkError) in
            switch state.phase {
            case .closed: throw LinkError(.closed, "the link was closed")
            case .idle, .connecting: throw LinkError(.notConnected, "the link is not connected", hint: "connect first")
            case .connected: break
            }
            guard let graph = state.graph else { throw LinkError(.notConnected, "the link is not connected") }
            return graph
        }
    }

    func keep(watch: ROSSubscription?) {
        let old = state.withLock { state in
            defer { state.watch = watch }
            return state.watch
        }
        old?.cancel()
    }

    /// Any node on the graph may shut down another (`rosnode kill`); the master does when a second node of the same
    /// name joins.
    public func setShutdownHandler(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onShutdownRequest = handler }
    }

    // MARK: Telemetry

    /// See ``UAVLink/UAVLink/telemetry()``.
    public func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    public func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        broadcast.observe(body)
    }

    /// See ``UAVLink/UAVLink/latestTelemetry``.
    public var latestTelemetry: Telemetry? { broadcast.latest }

    /// See ``UAVLink/UAVLink/quality``.
    public var quality: LinkQuality {
        let now = clock.now
        var quality = state.withLock { $0.meter.quality(isOpen: $0.phase == .connected, now: now) }
        quality.setpointsSent = setpointsSent.load(ordering: .relaxed)
        quality.setpointsExpired = setpointsExpired.load(ordering: .relaxed)
        return quality
    }
}
