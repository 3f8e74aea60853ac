internal import MRSMessages
internal import ROS1
internal import ROS2
internal import ROSMessages
internal import UAVLink

/// The node of the simulated vehicle in ROS 1.
struct ROS1Middleware: VehicleMiddleware {
    let node: ROSNode
    private let rosout: ROSPublisher<RosgraphMsgs.Log>

    init(_ configuration: ROSConfiguration) throws(ROSError) {
        node = try ROSNode(configuration: configuration)
        rosout = try node.advertise("/rosout", latching: true)
    }

    var now: ROSTime { node.time.now }

    func publisher<Message: ROSMessage & ROS2Message>(
        of topic: String, type: Message.Type, keepsLast: Bool
    ) throws(ROSError) -> VehiclePublisher<Message> {
        let publisher: ROSPublisher<Message> = try node.advertise(topic, latching: keepsLast)
        return VehiclePublisher(
            hasSubscribers: { publisher.subscriberCount > 0 }, publish: { publisher.publish($0) })
    }

    func subscribe<Message: ROSMessage & ROS2Message>(
        to topic: String, type: Message.Type, take: @escaping @Sendable (Message) -> Void
    ) throws(ROSError) -> any Sendable {
        try node.subscribe(topic, type: type, onMessage: take)
    }

    func serve<Service: ROSService & ROS2Service>(
        _ service: String, type: Service.Type, isShort: Bool,
        handler: @escaping @Sendable (Service.Request) throws -> Service.Response
    ) throws(ROSError) -> any Sendable {
        try node.advertiseService(service, type: type, on: isShort ? .immediate : .worker, handler: handler)
    }

    func serve<Service: ROSService & ROS2Service>(
        _ service: String, type: Service.Type,
        asyncHandler: @escaping @Sendable (Service.Request) async throws -> Service.Response
    ) throws(ROSError) -> any Sendable {
        try node.advertiseService(service, type: type, asyncHandler: asyncHandler)
    }

    func log(_ severity: VehicleMessage.Severity, _ text: String) {
        var message = RosgraphMsgs.Log()
        message.header.stamp = now
        message.level =
            switch severity {
            case .information: RosgraphMsgs.Log.info
            case .warning: RosgraphMsgs.Log.warn
            case .error: RosgraphMsgs.Log.error
            }
        message.name = node.name
        message.msg = text
        rosout.publish(message)
    }
}
