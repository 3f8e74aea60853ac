/// Publishes one topic; letting go of it ends that.
public final class ROSPublisher<Message: ROSMessage>: Sendable {
    private let channel: PublisherChannel
    private let node: ROSNode

    init(channel: PublisherChannel, node: ROSNode) {
        self.channel = channel
        self.node = node
    }

    deinit { node.unadvertise(channel) }

    /// The topic's complete name.
    public var topic: String { channel.topic }

    /// How many nodes take the messages.
    public var subscriberCount: Int { channel.subscriberCount }

    /// Messages handed over for subscribers, and messages dropped since a subscriber did not keep up.
    public var counts: (sent: UInt64, dropped: UInt64) { channel.counts }

    /// Writes a message to every subscriber's socket, at once and on this thread; it never waits.
    public func publish(_ message: Message) {
        channel.publish { $0.writeFramed(message) }
    }
}

/// Publishes messages that are serialised already; letting go of it ends that.
public final class ROSRawPublisher: Sendable {
    private let channel: PublisherChannel
    private let node: ROSNode

    init(channel: PublisherChannel, node: ROSNode) {
        self.channel = channel
        self.node = node
    }

    deinit { node.unadvertise(channel) }

    /// The topic's complete name.
    public var topic: String { channel.topic }

    /// How many nodes take the messages.
    public var subscriberCount: Int { channel.subscriberCount }

    /// Writes a message's bytes to every subscriber's socket, at once and on this thread; it never waits.
    public func publish(_ bytes: [UInt8]) {
        channel.publish { writer in
            writer.writeCount(bytes.count)
            writer.writeRaw(bytes)
        }
    }
}

/// Keeps a subscription alive; letting go of it ends that.
public final class ROSSubscription: Sendable {
    /// The topic's complete name.
    public let topic: String
    private let onEnd: @Sendable () -> Void

    init(topic: String, onEnd: @escaping @Sendable () -> Void) {
        self.topic = topic
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    /// Ends it now; a message that is being delivered on the I/O thread may still come.
    public func cancel() { onEnd() }
}

/// Keeps a service offered; letting go of it withdraws it.
public final class ROSServiceServer: Sendable {
    /// The service's complete name.
    public let name: String
    private let onEnd: @Sendable () -> Void

    init(name: String, onEnd: @escaping @Sendable () -> Void) {
        self.name = name
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}
