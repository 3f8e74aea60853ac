internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2
internal import ROS2Interfaces
internal import ROS2Node
internal import ROSMessages
internal import Simulation
internal import UAVLink

/// The nodes of the simulated vehicle in ROS 2: one for each manager of the flight stack, as in the real one, in one
/// session.
struct ROS2Middleware: VehicleMiddleware {
    /// The managers: what is called `/uav1/MANAGER/...` belongs to the node `/uav1/MANAGER`.
    static let managers = [
        "hw_api", "estimation_manager", "control_manager", "uav_manager", "constraint_manager", "gain_manager",
        "trajectory_generation", "mrs_uav_status",
    ]

    let session: ROS2Session
    private let own: ROS2Node
    private let nodes: [String: ROS2Node]
    /// Of types of the nodes.
    private let servers: [ROS2ServiceServer]
    private let rosout: ROS2Publisher<RclInterfaces.Log>

    init(_ session: ROS2Session, vehicle: String, parameters: [String: ParameterContent]) throws(ROSError) {
        self.session = session
        let namespace = "/\(vehicle)"
        own = try session.node(ROS2NodeName(namespace: namespace, name: "uavlink_sim"))
        var nodes: [String: ROS2Node] = [:]
        for manager in Self.managers {
            nodes["\(namespace)/\(manager)/"] = try session.node(ROS2NodeName(namespace: namespace, name: manager))
        }
        self.nodes = nodes
        var servers: [ROS2ServiceServer] = []
        for node in [own] + nodes.values {
            servers.append(try node.serveTypeDescriptions())
            servers += try Self.serve(parameters, on: node)
        }
        self.servers = servers
        rosout = try own.publisher(of: "/rosout", quality: Self.kept(last: 100))
    }

    /// The parameters of a node, which nobody changes.
    private static func serve(
        _ parameters: [String: ParameterContent], on node: ROS2Node
    ) throws(ROSError) -> [ROS2ServiceServer] {
        [
            try node.serve("~/get_parameters", type: RclInterfaces.GetParameters.self) { request in
                .init(values: request.names.map { .init(parameters[$0] ?? .notSet) })
            },
            try node.serve("~/list_parameters", type: RclInterfaces.ListParameters.self) { request in
                let names = parameters.keys.sorted().filter { name in
                    request.prefixes.isEmpty || request.prefixes.contains { name == $0 || name.hasPrefix($0 + ".") }
                }
                return .init(result: .init(names: names, prefixes: []))
            },
        ]
    }

    private func node(of name: String) -> ROS2Node { nodes.first { name.hasPrefix($0.key) }?.value ?? own }

    /// For those that subscribe later.
    private static func kept(last depth: UInt64) -> QualityOfService {
        var quality = QualityOfService.usual
        quality.durability = .transientLocal
        quality.depth = depth
        return quality
    }

    var now: ROSTime {
        let nanoseconds = max(0, WallClock.nanoseconds)
        return ROSTime(
            seconds: UInt32(clamping: nanoseconds / 1_000_000_000),
            nanoseconds: UInt32(clamping: nanoseconds % 1_000_000_000))
    }

    /// With the system default, as the real stack publishes.
    func publisher<Message: ROSMessage & ROS2Message>(
        of topic: String, type: Message.Type, keepsLast: Bool
    ) throws(ROSError) -> VehiclePublisher<Message> {
        let publisher: ROS2Publisher<Message> = try node(of: topic).publisher(
            of: topic, quality: keepsLast ? Self.kept(last: 1) : QualityOfService())
        // As a real publisher does: whoever subscribes by the key alone declares no token, and is to receive, too.
        return VehiclePublisher(hasSubscribers: { true }, publish: { publisher.publish($0) })
    }

    func subscribe<Message: ROSMessage & ROS2Message>(
        to topic: String, type: Message.Type, take: @escaping @Sendable (Message) -> Void
    ) throws(ROSError) -> any Sendable {
        try node(of: topic).subscribe(to: topic, type: type, quality: QualityOfService()) { message, _ in take(message)
        }
    }

    /// A call cannot fail as such here: what would is answered with an empty response, as by the real stack.
    func serve<Service: ROSService & ROS2Service>(
        _ service: String, type: Service.Type, isShort: Bool,
        handler: @escaping @Sendable (Service.Request) throws -> Service.Response
    ) throws(ROSError) -> any Sendable {
        let node = node(of: service)
        guard isShort else {
            return try node.serve(
                service, type: type, quality: QualityOfService(),
                asyncHandler: {
                    (try? handler($0)) ?? Service.Response()
                })
        }
        return try node.serve(
            service, type: type, quality: QualityOfService(),
            handler: {
                (try? handler($0)) ?? Service.Response()
            })
    }

    func serve<Service: ROSService & ROS2Service>(
        _ service: String, type: Service.Type,
        asyncHandler: @escaping @Sendable (Service.Request) async throws -> Service.Response
    ) throws(ROSError) -> any Sendable {
        try node(of: service).serve(
            service, type: type, quality: QualityOfService(),
            asyncHandler: { request in
                (try? await asyncHandler(request)) ?? Service.Response()
            })
    }

    func log(_ severity: VehicleMessage.Severity, _ text: String) {
        var message = RclInterfaces.Log()
        message.stamp = now
        message.level =
            switch severity {
            case .information: RclInterfaces.Log.info
            case .warning: RclInterfaces.Log.warn
            case .error: RclInterfaces.Log.error
            }
        message.name = own.name.text
        message.msg = text
        rosout.publish(message)
    }
}
