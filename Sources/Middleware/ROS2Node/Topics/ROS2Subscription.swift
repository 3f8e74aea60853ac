public import ROS2
public import ROSMessages
internal import Synchronization
internal import Zenoh

/// A subscription; releasing it withdraws it.
public final class ROS2Subscription: Sendable {
    private let node: ROS2Node
    private let endpoint: Endpoint
    private let declarations: [ZenohDeclaration]
    private let history: PublicationHistory?

    fileprivate init(
        _ endpoint: Endpoint, quality: QualityOfService, node: ROS2Node,
        deliver: @escaping @Sendable (ZenohSample, MessageAttachment) -> Void
    ) throws(ROSError) {
        self.node = node
        self.endpoint = endpoint
        let (state, name, key, zenoh) = (node.session.state, endpoint.name, endpoint.key, node.session.zenoh)
        let received = quality.durability == .transientLocal ? ReceivedNumbers() : nil
        let take: @Sendable (ZenohSample) -> Void = { sample in
            guard sample.key == key else { return state.refuse(.wildcard, on: name.text) }
            guard !sample.isDeletion else { return state.refuse(.deletion, on: name.text) }
            guard let attachment = state.attachment(sample.attachment, on: name, from: .publisher) else { return }
            // What is kept for later subscribers may arrive twice.
            if let received, !received.isNew(attachment) { return }
            deliver(sample, attachment)
        }
        // Subscribed before asking: nothing is published in between.
        declarations = [
            try throwingROSError { () throws(ZenohError) in try zenoh.subscribe(to: key, take) },
            try endpoint.declare(in: node.session),
        ]
        history =
            received == nil
            ? nil : try PublicationHistory(endpoint, depth: quality.depth, session: node.session, take: take)
    }

    deinit { history?.cancel() }

    /// The topic.
    public var topic: ROS2Name { endpoint.name }

    /// Withdraws it; a message that is being delivered on the I/O thread may still arrive.
    public func cancel() {
        history?.cancel()
        for declaration in declarations { declaration.cancel() }
    }
}

extension ROS2Node {
    /// Subscribes to a topic. Publications with another type or another hash do not arrive; see `ROS2Graph.agreement`.
    ///
    /// - Parameters:
    ///   - topic: the name; relative to the node's namespace unless it begins with `/` or `~/`.
    ///   - quality: with `transientLocal`, what publishers keep for later subscribers is asked for.
    ///   - onMessage: called on the session's I/O thread with each message and what accompanied it; must not block.
    /// - Returns: the subscription; release it to unsubscribe.
    /// - Throws: `ROSError`: `invalidName`, `closed`.
    public func subscribe<Message: ROS2Message>(
        to topic: String, type: Message.Type = Message.self, quality: QualityOfService = .usual,
        onMessage: @escaping @Sendable (Message, MessageAttachment) -> Void
    ) throws(ROSError) -> ROS2Subscription {
        let endpoint = try endpoint(
            .subscriber, topic, type: Message.ros2TypeName, hash: Message.ros2TypeHash, quality: quality)
        describe(Message.self)
        let (state, name) = (session.state, endpoint.name.text)
        return try ROS2Subscription(endpoint, quality: quality, node: self) { sample, attachment in
            let message: Message
            do throws(ROSDecodingError) {
                var reader = try CDRReader(sample.bytes, range: sample.payloadRange)
                message = try Message(from: &reader)
            } catch { return state.refuse(.undecodable, on: name) }
            onMessage(message, attachment)
        }
    }
}

extension ROS2Node {
    /// Subscribes to a topic of which only the type's name and hash are known, as its tokens have them.
    ///
    /// - Parameter onMessage: called on the session's I/O thread with bytes, and where in them each message is with its header; must not
    ///   block.
    /// - Throws: `ROSError`: `typeMismatch` if name or hash are none, `closed`.
    public func subscribeInPlace(
        to topic: ROS2Name, type: EndpointType, onMessage: @escaping @Sendable ([UInt8], Range<Int>) -> Void
    ) throws(ROSError) -> ROS2Subscription {
        guard let name = type.typeName, let hash = type.typeHash else {
            throw ROSError(.typeMismatch, "'\(topic.text)' has the type '\(type.name)' with the hash '\(type.hash)'")
        }
        let endpoint = try endpoint(.subscriber, topic.text, type: name.text, hash: hash, quality: .usual)
        return try ROS2Subscription(endpoint, quality: .usual, node: self) { sample, _ in
            onMessage(sample.bytes, sample.payloadRange)
        }
    }
}

/// The newest number of each sender.
private final class ReceivedNumbers: Sendable {
    /// The most senders that are distinguished; a topic has a few.
    private static let maximumSenders = 256
    private let newest = Mutex<[EndpointID: Int64]>([:])

    func isNew(_ attachment: MessageAttachment) -> Bool {
        newest.withLock { newest in
            if let last = newest[attachment.sender], attachment.sequence <= last { return false }
            if newest.count >= Self.maximumSenders, newest[attachment.sender] == nil { newest = [:] }
            newest[attachment.sender] = attachment.sequence
            return true
        }
    }
}
