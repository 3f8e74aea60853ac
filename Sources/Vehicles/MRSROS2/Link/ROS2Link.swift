package import MRS
internal import MRSMessages
internal import ROS2
package import ROS2Node
internal import ROSMessages
internal import Synchronization
package import UAVLink
package import Zenoh

/// Commands a vehicle as a node of its ROS 2 graph, behind its Zenoh router: services by queries, velocity references by topic,
/// telemetry from the vehicle's own topics. What ``MRS/ROSLink`` is for ROS 1.
///
/// It is a client of the router, so it never joins the graphs of two vehicles. A lost session is opened again and everything is
/// declared anew; motion does not resume then until a neutral setpoint was sent.
package final class ROS2Link: CallbackLink, ShutdownRequestLink {
    enum Phase {
        case idle
        case connecting
        case connected
        case closed
    }

    /// What is received by: nothing of it sends anything to the vehicle.
    struct Reception: Sendable {
        let session: ROS2Session
        let node: ROS2Node
        let subscriptions: [ROS2Subscription]
    }

    /// What a connected link uses.
    final class Graph: Sendable {
        let session: ROS2Session
        let node: ROS2Node
        let services: ROS2Services
        let steering: ROS2Publisher<MRSMsgs.VelocityReferenceStamped>
        let listeners: ListenerCheck

        init(_ reception: Reception, names: VehicleNames) throws(ROSError) {
            session = reception.session
            node = reception.node
            services = ROS2Services(node: node, names: names)
            steering = try node.publisher(of: names.name(of: .velocityReference))
            listeners = ListenerCheck()
        }
    }

    struct State {
        var phase = Phase.idle
        /// While connecting, before there is a node.
        var session: ROS2Session?
        var reception: Reception?
        var graph: Graph?
        var assembler: TelemetryAssembler
        var meter = LinkMeter()
        var pacer: RateLimiter
        /// Why what the vehicle sends cannot be used.
        var mismatch: ROSError?
        /// The session was lost: until a neutral setpoint was sent, no other is.
        var needsNeutral = false
        /// The subscription to the setpoints that other nodes send to the vehicle.
        var watch: ROS2Subscription?
        var onShutdownRequest: (@Sendable (String) -> Void)?
        /// When the graph was last looked at for what changes rarely.
        var lookedAt: MonotonicTime?
    }

    /// The vehicle's service and topic names.
    package let names: VehicleNames
    let configuration: ROS2Configuration
    let nodeName: String
    let isAlone: Bool
    let clock: any MonotonicClock
    /// All commands go through it.
    let gate: CommandGate
    let broadcast = Broadcast<Telemetry>()
    let state: Mutex<State>
    let setpointsSent = Atomic<UInt64>(0)
    let setpointsExpired = Atomic<UInt64>(0)

    /// Creates a link behind the router given by `configuration`, not yet connected.
    ///
    /// - Parameters:
    ///   - nodeName: the name of its node, without a namespace.
    ///   - telemetryRateHertz: at most how often telemetry is passed on, each time after a new pose.
    ///   - isAlone: connecting fails if another node of the same name is in the graph.
    package init(
        names: VehicleNames, configuration: ROS2Configuration, nodeName: String, telemetryRateHertz: Double = 50,
        isAlone: Bool = false, clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.isAlone = isAlone
        self.names = names
        self.nodeName = nodeName
        self.clock = clock
        gate = CommandGate(clock: clock)
        let period = Duration.seconds(1 / min(max(telemetryRateHertz, 0.1), 1000))
        state = Mutex(
            State(
                assembler: TelemetryAssembler(vehicle: names.vehicle, counting: VehicleTopic.sent),
                pacer: RateLimiter(period: period, start: clock.now)))
        self.configuration = configuration
    }

    /// Creates the link of a ground behind a router.
    ///
    /// - Parameters:
    ///   - router: the router in Zenoh's notation; `nil` for that of this machine.
    ///   - domain: the domain; `nil` for that of the environment (`ROS_DOMAIN_ID`).
    ///   - dial: maps the address of the router to the one to connect to, for measurements; must not block.
    ///   - security: TLS, for a router at `tls/host:port`.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for an invalid name, router or environment.
    package convenience init(
        vehicle: String, router: String?, domain: UInt32?, environment: [String: String],
        dial: (@Sendable (String, UInt16) -> (host: String, port: UInt16))? = nil,
        security: (any ZenohSecurity)? = nil
    ) throws(LinkError) {
        let names = try VehicleNames(vehicle: vehicle)
        do {
            var configuration = try ROS2Configuration(
                router: router, domain: domain, environment: environment, security: security)
            configuration.zenoh.redirect = dial.map { ZenohRedirect($0) }
            self.init(
                names: names, configuration: configuration,
                nodeName: "uavlink_\(vehicle)_\(String(UInt32.random(in: 0 ... .max), radix: 16))")
        } catch { throw LinkError(.invalidInput, error.what, hint: error.hint) }
    }

    /// Creates the link of the vehicle's companion, of which there is one in a graph.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for an invalid name.
    package convenience init(companionOf vehicle: String, configuration: ROS2Configuration) throws(LinkError) {
        self.init(
            names: try VehicleNames(vehicle: vehicle), configuration: configuration,
            nodeName: "uavlink_companion_\(vehicle)", isAlone: true)
    }

    /// Directly from the ground.
    package var kind: LinkKind { .ros }

    /// The router, in Zenoh's notation.
    package var router: String { configuration.router }

    /// How many of the vehicle's own nodes subscribe to setpoints; a recorder on another computer is no sign that it obeys.
    func listeners(in graph: Graph) -> Int {
        let (topic, own) = (graph.steering.topic, "/\(names.vehicle)/")
        return graph.session.graph.endpoints(.subscriber, of: topic).count { $0.node.text.hasPrefix(own) }
    }

    /// Whether the flight stack accepts commands: its services are in the graph before it is ready, but do not answer.
    package var isVehicleReady: Bool { state.withLock { $0.assembler.isStackReady } }

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

    /// Another node of the same name makes a companion end.
    package func setShutdownHandler(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onShutdownRequest = handler }
    }

    // MARK: Telemetry

    /// See ``UAVLink/UAVLink/telemetry()``.
    package func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    package func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        broadcast.observe(body)
    }

    /// See ``UAVLink/UAVLink/latestTelemetry``.
    package var latestTelemetry: Telemetry? { broadcast.latest }

    /// See ``UAVLink/UAVLink/quality``.
    package var quality: LinkQuality {
        let now = clock.now
        var quality = state.withLock { $0.meter.quality(isOpen: $0.phase == .connected, now: now) }
        quality.setpointsSent = setpointsSent.load(ordering: .relaxed)
        quality.setpointsExpired = setpointsExpired.load(ordering: .relaxed)
        return quality
    }

    /// Everything except control authority: every node of the graph can command the vehicle.
    package var capabilities: LinkCapabilities {
        LinkCapabilities(
            survey: self, transfersMaps: true, bulk: self, callbacks: self, shutdownRequests: self)
    }

    /// ``UAVLink/VehicleCapabilities/mrsInROS2``: its services and topics are those of that flight stack.
    package var vehicleCapabilities: VehicleCapabilities { .mrsInROS2 }
}
