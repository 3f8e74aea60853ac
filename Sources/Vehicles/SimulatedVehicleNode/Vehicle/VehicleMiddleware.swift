internal import ROS2
internal import ROSMessages
internal import UAVLink

/// What the simulated vehicle needs of a middleware: one implementation for each version of ROS. Names are fully
/// qualified.
protocol VehicleMiddleware: Sendable {
    /// The time of messages.
    var now: ROSTime { get }

    /// Publishes a topic.
    ///
    /// - Parameter keepsLast: whether later subscribers receive the last message.
    func publisher<Message: ROSMessage & ROS2Message>(
        of topic: String, type: Message.Type, keepsLast: Bool
    ) throws(ROSError) -> VehiclePublisher<Message>

    /// Subscribes to a topic until what is returned is released; `take` is called on an I/O thread.
    func subscribe<Message: ROSMessage & ROS2Message>(
        to topic: String, type: Message.Type, take: @escaping @Sendable (Message) -> Void
    ) throws(ROSError) -> any Sendable

    /// Offers a service until what is returned is released.
    ///
    /// - Parameters:
    ///   - isShort: whether the handler takes microseconds, so that an I/O thread may run it.
    ///   - handler: throws ``FailedCall`` when the call itself fails.
    func serve<Service: ROSService & ROS2Service>(
        _ service: String, type: Service.Type, isShort: Bool,
        handler: @escaping @Sendable (Service.Request) throws -> Service.Response
    ) throws(ROSError) -> any Sendable

    /// Offers a service that answers later.
    func serve<Service: ROSService & ROS2Service>(
        _ service: String, type: Service.Type,
        asyncHandler: @escaping @Sendable (Service.Request) async throws -> Service.Response
    ) throws(ROSError) -> any Sendable

    /// Writes a line on `/rosout`.
    func log(_ severity: VehicleMessage.Severity, _ text: String)
}

/// Publishes one topic while it exists.
struct VehiclePublisher<Message: Sendable>: Sendable {
    /// Whether it is worth building a message.
    let hasSubscribers: @Sendable () -> Bool
    let publish: @Sendable (Message) -> Void
}

/// A call of a service fails as such, as those of a flight stack that is not ready.
struct FailedCall: Error, CustomStringConvertible {
    let description: String
}
