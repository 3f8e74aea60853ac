internal import ROS1
internal import ROSMessages
internal import Synchronization
public import UAVLink

/// Watches topics as a node of the ROS graph given by an environment.
public final class ROSTopicWatch: TopicWatching {
    private struct State {
        var node: ROSNode?
        var isClosed = false
    }

    private let environment: [String: String]
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// A reachable master answers at once; over a bad link it may take a few seconds.
    private static let masterTimeout: Duration = .seconds(5)
    /// How often the tap is polled for a kept message.
    private static let tick: Duration = .milliseconds(200)
    /// After this long without a message the master is queried, and again at this interval.
    private static let quiet: Duration = .seconds(2)

    /// Creates a watch that joins the graph on first use.
    ///
    /// - Parameter master: the master's address, overrides the environment's.
    public init(
        master: String? = nil, environment: [String: String], clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        var environment = environment
        if let master { environment["ROS_MASTER_URI"] = master }
        self.environment = environment
        self.clock = clock
    }

    private func node() throws(LinkError) -> ROSNode {
        try state.withLock { state throws(LinkError) in
            guard !state.isClosed else { throw LinkError(.closed, "the topics are no longer watched") }
            if let node = state.node { return node }
            do throws(ROSError) {
                let name = "uavlink_topics_\(String(UInt32.random(in: 0 ... .max), radix: 16))"
                let node = try ROSNode(configuration: try ROSConfiguration(name: name, environment: environment))
                state.node = node
                return node
            } catch {
                throw LinkError(error)
            }
        }
    }

    private func joinedNode(within timeout: Duration) async throws(LinkError) -> ROSNode {
        let node = try node()
        do throws(ROSError) {
            try await node.waitForMaster(within: timeout)
        } catch {
            throw LinkError(
                error.code == .timedOut ? ROSError(.masterUnreachable, error.what, hint: error.hint) : error)
        }
        return node
    }

    /// See ``TopicWatching/published(within:)``.
    public func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic] {
        let node = try await joinedNode(within: min(timeout, Self.masterTimeout))
        do throws(ROSError) {
            let topics = try await node.master.publishedTopics(within: timeout)
            return topics.map { PublishedTopic(name: $0.key, type: $0.value) }.sorted { $0.name < $1.name }
                .prefix(TopicLimits.published).map(\.self)
        } catch {
            throw LinkError(error)
        }
    }

    /// See ``TopicWatching/updates(of:)``.
    public func updates(of topic: String) -> AsyncStream<TopicUpdate> {
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
        let node = try await joinedNode(within: Self.masterTimeout)
        let tap = TopicTap(clock: clock, tell: tell)
        let subscription: ROSSubscription
        do throws(ROSError) {
            subscription = try node.subscribeInPlace(topic) { tap.take($0, $1, $2) }
        } catch {
            throw LinkError(error)
        }
        defer { subscription.cancel() }
        var askedAt: MonotonicTime?
        while !Task.isCancelled, !state.withLock({ $0.isClosed }) {
            try? await Task.sleep(for: Self.tick)
            let silence = tap.tick()
            let now = clock.now
            guard silence.map({ $0 >= Self.quiet }) ?? true, askedAt.map({ now - $0 >= Self.quiet }) ?? true else {
                continue
            }
            askedAt = now
            let why = await Self.silence(of: subscription.topic, node, hasCome: silence != nil)
            // Another message may have arrived while the master was queried.
            if tap.tick().map({ $0 >= Self.quiet }) ?? true, !Task.isCancelled { tell(.silent(why, hertz: tap.hertz)) }
        }
    }

    /// Why no messages arrive.
    private static func silence(of topic: String, _ node: ROSNode, hasCome: Bool) async -> String {
        do throws(ROSError) {
            let graph = try await node.master.systemState()
            if graph.publishers[topic]?.isEmpty ?? true {
                let others = graph.subscribers[topic, default: []].contains { $0 != node.name }
                return others ? "not published" : "no such topic is published"
            }
            return hasCome
                ? "published, but no more messages are received" : "published, but no message received yet"
        } catch {
            return "the ROS master does not answer: \(error.what)"
        }
    }

    /// See ``TopicWatching/close()``.
    public func close() async {
        let node = state.withLock { state in
            state.isClosed = true
            defer { state.node = nil }
            return state.node
        }
        await node?.shutdown()
    }
}
