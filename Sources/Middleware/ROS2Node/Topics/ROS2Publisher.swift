public import ROS2
public import ROSMessages
internal import Synchronization
internal import Zenoh

/// What became of a publication.
public enum ROS2Publication: Sendable, Hashable {
    /// It was given to the connection.
    case sent
    /// The connection did not keep up, and it may be dropped.
    case dropped
    /// There is no session with the router now.
    case notConnected
    /// A subscriber would end when it receives it (``ROS2Session/olderSessions``).
    case refused
}

/// A publisher of one topic; releasing it withdraws it.
public final class ROS2Publisher<Message: ROS2Message>: Sendable {
    private struct State {
        var counter: AttachmentCounter
        var writer = CDRWriter()
        var attachment: [UInt8] = []
    }

    private let node: ROS2Node
    private let endpoint: Endpoint
    private let publisher: ZenohPublisher
    private let cache: PublicationCache?
    private let token: ZenohDeclaration
    private let state: Mutex<State>

    init(_ topic: String, quality: QualityOfService, node: ROS2Node) throws(ROSError) {
        let endpoint = try node.endpoint(
            .publisher, topic, type: Message.ros2TypeName, hash: Message.ros2TypeHash, quality: quality)
        node.describe(Message.self)
        self.node = node
        self.endpoint = endpoint
        publisher = try throwingROSError { () throws(ZenohError) in
            try node.session.zenoh.publisher(of: endpoint.key, qos: quality.zenoh)
        }
        let isKept = quality.durability == .transientLocal
        cache =
            isKept ? try PublicationCache(endpoint, depth: quality.depth, zenoh: node.session.zenoh) : nil
        state = Mutex(State(counter: AttachmentCounter(sender: EndpointID(of: endpoint.token))))
        token = try endpoint.declare(in: node.session)
    }

    /// The topic.
    public var topic: ROS2Name { endpoint.name }

    /// The identity in attachments.
    public var id: EndpointID { EndpointID(of: endpoint.token) }

    /// How many subscriptions with this type the graph has. A subscriber that declares no token is not among them,
    /// but receives all the same.
    public var subscriberCount: Int {
        let (name, type) = (endpoint.name, endpoint.type)
        return node.session.state.withGraph { graph in
            graph.endpoints(.subscriber, of: name).count { $0.endpoint?.type == type }
        }
    }

    /// Publishes on the calling thread; never blocks.
    @discardableResult
    public func publish(_ message: Message) -> ROS2Publication {
        let session = node.session.state
        guard !session.reachesOlder(endpoint, .subscriber) else { return .refused }
        return state.withLock { state in
            state.writer.begin()
            message.write(to: &state.writer)
            let now = session.clock()
            do throws(ROSError) {
                try Outgoing.write(state.counter.next(at: now), to: &state.attachment)
            } catch { return .refused }
            let timestamp = cache?.keep(state.writer.bytes, attachment: state.attachment, at: now)
            let result = state.writer.withBytes { payload in
                state.attachment.withUnsafeBytes { publisher.put(payload, attachment: $0, timestamp: timestamp) }
            }
            return switch result {
            case .sent: .sent
            case .dropped: .dropped
            case .notConnected: .notConnected
            }
        }
    }
}

extension ROS2Node {
    /// Publishes a topic.
    ///
    /// - Parameters:
    ///   - topic: the name; relative to the node's namespace unless it begins with `/` or `~/`.
    ///   - quality: with `transientLocal`, those that subscribe later receive the last publications (`depth`) too.
    /// - Throws: `ROSError`: `invalidName`, `closed`.
    public func publisher<Message: ROS2Message>(
        of topic: String, type: Message.Type = Message.self, quality: QualityOfService = .usual
    ) throws(ROSError) -> ROS2Publisher<Message> {
        try ROS2Publisher(topic, quality: quality, node: self)
    }
}
