package import MRS
internal import MRSMessagesROS2
internal import ROS2
internal import ROS2Interfaces
package import ROS2Node
internal import ROSMessages
internal import Synchronization
package import UAVLink
internal import Zenoh

/// Watches topics as a node behind a Zenoh router.
///
/// Types of this project are known by their hash. Another one is described by the node that publishes it (`get_type_description`), which
/// is asked only once a message of it has shown that it takes present messages.
package final class ROS2TopicWatch: TopicWatching {
    private struct State {
        var graph: (session: ROS2Session, node: ROS2Node)?
        var isClosed = false
    }

    private let configuration: ROS2Configuration
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// A router that is there answers at once; over a bad link it may take a few seconds.
    private static let routerTimeout: Duration = .seconds(5)
    /// For a node's description of a type.
    private static let descriptionTimeout: Duration = .seconds(3)
    /// How often the tap is polled for a kept message.
    private static let tick: Duration = .milliseconds(200)
    /// After this long without a message it is said why, and again at this interval.
    private static let quiet: Duration = .seconds(2)

    /// Creates a watch that joins the graph on first use.
    package init(configuration: ROS2Configuration, clock: any MonotonicClock = SystemMonotonicClock()) {
        (self.configuration, self.clock) = (configuration, clock)
    }

    private func joined(within timeout: Duration) async throws(LinkError) -> (session: ROS2Session, node: ROS2Node) {
        let graph = try state.withLock { state throws(LinkError) in
            guard !state.isClosed else { throw LinkError(.closed, "the topics are no longer watched") }
            if let graph = state.graph { return graph }
            do throws(ROSError) {
                let session = try ROS2Session(configuration: configuration)
                let name = "uavlink_topics_\(String(UInt32.random(in: 0 ... .max), radix: 16))"
                let graph = (session: session, node: try session.node(try ROS2NodeName(name: name)))
                state.graph = graph
                return graph
            } catch { throw LinkError(ros2: error) }
        }
        do throws(ROSError) { try await graph.session.waitForRouter(within: timeout) } catch {
            throw LinkError(
                .rosMasterUnreachable, error.what,
                hint: error.hint.isEmpty ? "is the router (rmw_zenohd) running on the vehicle?" : error.hint)
        }
        return graph
    }

    /// See ``MRS/TopicWatching/published(within:)``.
    package func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic] {
        let session = try await joined(within: min(timeout, Self.routerTimeout)).session
        let graph: ROS2Graph
        do throws(ROSError) { graph = try await session.readGraph(within: timeout) } catch {
            throw LinkError(ros2: error)
        }
        let topics = graph.topics.keys.compactMap { name -> PublishedTopic? in
            guard let type = graph.endpoints(.publisher, of: name).first?.endpoint?.type else { return nil }
            return PublishedTopic(name: name.text, type: type.typeName?.text ?? type.name)
        }
        return topics.sorted { $0.name < $1.name }.prefix(TopicLimits.published).map(\.self)
    }

    /// See ``MRS/TopicWatching/updates(of:)``.
    package func updates(of topic: String) -> AsyncStream<TopicUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TopicUpdate.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { [self] in
            do throws(LinkError) {
                try await follow(topic) { continuation.yield($0) }
            } catch {
                continuation.yield(.failed(error))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func follow(_ topic: String, tell: @escaping @Sendable (TopicUpdate) -> Void) async throws(LinkError) {
        let (session, node) = try await joined(within: Self.routerTimeout)
        let name: ROS2Name
        do throws(ROSError) { name = try ROS2Name(topic) } catch {
            throw LinkError(.invalidInput, error.what, hint: error.hint)
        }
        var followed: Followed?
        defer { followed?.subscription.cancel() }
        var saidAt: MonotonicTime?
        while !Task.isCancelled, !state.withLock({ $0.isClosed }) {
            let publishers = session.graph.endpoints(.publisher, of: name)
            if let token = publishers.first, let type = token.endpoint?.type,
                !publishers.contains(where: { $0.endpoint?.type == followed?.type })
            {
                followed?.subscription.cancel()
                followed = try follow(name, type, by: node, tell)
            }
            try? await Task.sleep(for: Self.tick)
            let silence = followed?.tap.tick()
            if silence != nil, followed?.isDescribed == false,
                let publisher = publishers.first(where: { $0.endpoint?.type == followed?.type })
            {
                followed?.isDescribed = true
                if let followed { followed.tap.use(await description(of: followed.type, by: publisher, node)) }
            }
            let now = clock.now
            guard silence.map({ $0 >= Self.quiet }) ?? true, saidAt.map({ now - $0 >= Self.quiet }) ?? true,
                !Task.isCancelled
            else { continue }
            saidAt = now
            tell(.silent(Self.silence(session, name, hasCome: silence != nil), hertz: followed?.tap.hertz))
        }
    }

    /// The type that a topic has at present, and what is received of it.
    private struct Followed {
        let type: EndpointType
        let tap: ROS2TopicTap
        let subscription: ROS2Subscription
        /// Whether its type is known, or has been asked for.
        var isDescribed: Bool
    }

    private func follow(
        _ name: ROS2Name, _ type: EndpointType, by node: ROS2Node, _ tell: @escaping @Sendable (TopicUpdate) -> Void
    ) throws(LinkError) -> Followed {
        let tap = ROS2TopicTap(typeName: type.typeName?.text ?? type.name, clock: clock, tell: tell)
        let known = Self.known[type]
        if let known {
            do throws(InterfaceError) { tap.use(.success(try known.ros2Description())) } catch {
                tap.use(.failure(error))
            }
        }
        do throws(ROSError) {
            let subscription = try node.subscribeInPlace(to: name, type: type) { tap.take($0, $1) }
            return Followed(type: type, tap: tap, subscription: subscription, isDescribed: known != nil)
        } catch { throw LinkError(ros2: error) }
    }

    /// Why no messages arrive.
    private static func silence(_ session: ROS2Session, _ name: ROS2Name, hasCome: Bool) -> String {
        guard session.zenoh.isConnected else { return "the Zenoh router does not answer" }
        let graph = session.graph
        guard graph.endpoints(.publisher, of: name).isEmpty else {
            return hasCome
                ? "published, but no more messages are received" : "published, but no message received yet"
        }
        let own = "\(session.zenoh.id)"
        let others = graph.endpoints(.subscriber, of: name).contains { $0.session != own }
        return others ? "not published" : "no such topic is published"
    }

    // MARK: Types

    /// The messages that are known here.
    private static let known: [EndpointType: any ROS2Message.Type] = {
        var known: [EndpointType: any ROS2Message.Type] = [:]
        for type in GeneratedROS2Types.messages + GeneratedInterfaces.messages {
            guard let name = ROS2TypeName(type.ros2TypeName) else { continue }
            known[EndpointType(name, type.ros2TypeHash)] = type
        }
        return known
    }()

    /// What the node that publishes a type says about it.
    private func description(
        of type: EndpointType, by publisher: LivelinessToken, _ node: ROS2Node
    ) async -> Result<TypeDescription, InterfaceError> {
        let name = type.typeName?.text ?? type.name
        do throws(ROSError) {
            let client = try node.client(
                of: "\(publisher.node)/get_type_description",
                type: TypeDescriptionInterfaces.GetTypeDescription.self)
            var request = TypeDescriptionInterfaces.GetTypeDescription.Request()
            (request.typeName, request.typeHash) = (name, type.hash)
            let answer = try await client.call(request, timeout: Self.descriptionTimeout)
            guard answer.successful else {
                return .failure(InterfaceError("its node does not describe it: \(answer.failureReason)", in: name))
            }
            do throws(InterfaceError) { return .success(try TypeDescription(answer.typeDescription)) } catch {
                return .failure(error)
            }
        } catch { return .failure(InterfaceError("its node does not describe it: \(error.what)", in: name)) }
    }

    /// See ``MRS/TopicWatching/close()``.
    package func close() async {
        let graph = state.withLock { state in
            state.isClosed = true
            return state.graph.take()
        }
        await graph?.session.shutdown()
    }
}
