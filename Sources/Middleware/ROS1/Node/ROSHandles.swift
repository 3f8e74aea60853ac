public import ROSMessages

/// A publisher of one topic; releasing it unadvertises the topic.
public final class ROSPublisher<Message: ROSMessage>: Sendable {
    private let channel: PublisherChannel
    private let node: ROSNode

    init(channel: PublisherChannel, node: ROSNode) {
        self.channel = channel
        self.node = node
    }

    deinit { node.unadvertise(channel) }

    /// The topic's fully qualified name.
    public var topic: String { channel.topic }

    /// The number of connected subscribers.
    public var subscriberCount: Int { channel.subscriberCount }

    /// Messages accepted, counted once per subscriber, and messages dropped because a subscriber did not keep up.
    public var counts: (sent: UInt64, dropped: UInt64) { channel.counts }

    /// Writes a message to every subscriber's socket on the calling thread; never blocks.
    public func publish(_ message: Message) {
        channel.publish { $0.writeFramed(message) }
    }
}

/// A subscription; releasing it unsubscribes.
public final class ROSSubscription: Sendable {
    /// The topic's fully qualified name.
    public let topic: String
    private let onEnd: @Sendable () -> Void

    init(topic: String, onEnd: @escaping @Sendable () -> Void) {
        self.topic = topic
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    /// Unsubscribes; a message that is being delivered on the I/O thread may still arrive.
    public func cancel() { onEnd() }
}

/// An advertised service; releasing it withdraws the service.
public final class ROSServiceServer: Sendable {
    /// The service's fully qualified name.
    public let name: String
    private let onEnd: @Sendable () -> Void

    init(name: String, onEnd: @escaping @Sendable () -> Void) {
        self.name = name
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}
