public import ROSMessages
internal import Synchronization
internal import SystemIO

/// Publishing and subscribing.
extension ROSNode {
    /// Publishes a topic.
    ///
    /// - Parameters:
    ///   - topic: the name, resolved by ``names``.
    ///   - isLatching: whether a new subscriber receives the last message on connecting.
    ///   - queue: how many messages are queued for a subscriber that does not keep up; then the oldest is dropped.
    /// - Throws: ``ROSError``: ``ROSError/Code/invalidName``, or ``ROSError/Code/misuse`` when this node already publishes
    ///   the topic.
    public func advertise<Message: ROSMessage>(
        _ topic: String, type: Message.Type = Message.self, latching isLatching: Bool = false, queue: Int = 10
    ) throws(ROSError) -> ROSPublisher<Message> {
        let channel = try channel(
            topic, type: Message.typeName, md5: Message.md5, definition: Message.definition, isLatching: isLatching,
            queue: queue)
        return ROSPublisher(channel: channel, node: self)
    }

    private func channel(
        _ topic: String, type: String, md5: String, definition: String, isLatching: Bool, queue: Int
    ) throws(ROSError) -> PublisherChannel {
        let resolved = try names.resolve(topic)
        try offers.withLock { offers throws(ROSError) in
            guard !offers.isShutDown else { throw ROSError(.closed, "the node was shut down") }
            guard offers.topics.insert(resolved).inserted else {
                throw ROSError(.misuse, "this node already publishes \(resolved)")
            }
        }
        let channel = PublisherChannel(
            topic: resolved.text, type: type, md5: md5, definition: definition, isLatching: isLatching,
            queueLimit: queue, loop: loop)
        withCore { node, core in node.advertise(channel, on: core) }
        return channel
    }

    func unadvertise(_ channel: PublisherChannel) {
        channel.close()
        if let topic = try? GraphName(channel.topic) { _ = offers.withLock { $0.topics.remove(topic) } }
        withCore { node, core in node.unadvertise(channel, on: core) }
    }

    /// Subscribes to a topic.
    ///
    /// - Parameter onMessage: called on the node's I/O thread for each message; must not block.
    /// - Returns: the subscription; release it to unsubscribe.
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func subscribe<Message: ROSMessage>(
        _ topic: String, type: Message.Type = Message.self, onMessage: @escaping @Sendable (Message) -> Void
    ) throws(ROSError) -> ROSSubscription {
        let identity = identity
        let resolved = try names.resolve(topic).text
        return subscribe(resolved, type: Message.typeName, md5: Message.md5, definition: Message.definition) {
            bytes, block, _ in
            var reader = ROSReader(bytes, range: block)
            do throws(ROSDecodingError) { onMessage(try Message(from: &reader)) } catch {
                identity.tell(.undecodable(topic: resolved, error))
            }
        }
    }

    /// Subscribes to a topic of any type.
    ///
    /// - Parameter onMessage: called on the node's I/O thread with the message's bytes and the publisher's header, which
    ///   has the type, its MD5 sum and its definition; must not block.
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func subscribeRaw(
        _ topic: String, onMessage: @escaping @Sendable ([UInt8], ConnectionHeader) -> Void
    ) throws(ROSError) -> ROSSubscription {
        subscribe(try names.resolve(topic).text, type: "*", md5: "*", definition: "") { bytes, block, header in
            onMessage(Array(bytes[block]), header)
        }
    }

    /// As ``subscribeRaw(_:onMessage:)``, without a copy of each message: for topics of which most messages are not decoded.
    ///
    /// - Parameter onMessage: called on the node's I/O thread with the receive buffer, the range of the message in it, and the
    ///   publisher's header. The buffer must not be retained: it is reused for reading.
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func subscribeInPlace(
        _ topic: String, onMessage: @escaping @Sendable ([UInt8], Range<Int>, ConnectionHeader) -> Void
    ) throws(ROSError) -> ROSSubscription {
        subscribe(try names.resolve(topic).text, type: "*", md5: "*", definition: "", deliver: onMessage)
    }

    private func subscribe(
        _ topic: String, type: String, md5: String, definition: String,
        deliver: @escaping @Sendable ([UInt8], Range<Int>, ConnectionHeader) -> Void
    ) -> ROSSubscription {
        let id = offers.withLock { offers in
            offers.nextReceiver += 1
            return offers.nextReceiver
        }
        withCore { node, core in
            let receiver = TopicSubscription.Receiver(
                id: id, type: type, md5: md5, definition: definition, deliver: deliver)
            node.subscribe(topic, receiver, on: core)
        }
        let loop = loop
        return ROSSubscription(topic: topic) {
            loop.submit { core in (core.attachment as? NodeCore)?.unsubscribe(topic, id, on: core) }
        }
    }
}
