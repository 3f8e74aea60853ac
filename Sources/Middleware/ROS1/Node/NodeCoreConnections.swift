internal import ROSMessages
internal import SystemIO

/// Incoming connections of subscribers and of callers of services.
extension NodeCore {
    /// Serves or refuses a connection whose header was received.
    func accept(
        _ header: ConnectionHeader, _ socket: SocketHandle, _ assembler: FrameAssembler, on loop: LoopCore
    ) {
        do throws(ROSError) {
            guard !isClosing else { throw ROSError(.closed, "the node is shutting down") }
            if let service = header["service"] {
                try acceptCaller(of: service, header, socket, assembler, on: loop)
            } else if let topic = header["topic"] {
                try acceptSubscriber(of: topic, header, socket, on: loop)
            } else {
                throw ROSError(.protocolViolation, "the header names neither a topic nor a service")
            }
        } catch {
            node.tell(.peerRefused(node: header.callerID, error))
            LingeringClose.refuse(socket, error.what, on: loop)
        }
    }

    private func acceptSubscriber(
        of topic: String, _ header: ConnectionHeader, _ socket: SocketHandle, on loop: LoopCore
    ) throws(ROSError) {
        guard let channel = publishers[topic] else {
            throw ROSError(.refused, "\(topic) is not published by \(node.name)")
        }
        guard !header.md5.isEmpty, !header.callerID.isEmpty else {
            throw ROSError(.protocolViolation, "the header of a subscriber must have md5sum, topic and callerid")
        }
        guard ConnectionHeader.md5sMatch(header.md5, channel.md5) else {
            throw ROSError(
                .typeMismatch,
                "md5sums do not match: \(topic) of type \(channel.type) has \(channel.md5), not \(header.md5)")
        }
        guard header.type.isEmpty || header.type == "*" || header.type == channel.type else {
            throw ROSError(.typeMismatch, "\(topic) has the type \(channel.type), not \(header.type)")
        }
        let answer = ConnectionHeader([
            "callerid": node.name, "topic": topic, "type": channel.type, "md5sum": channel.md5,
            "message_definition": channel.definition, "latching": channel.isLatching ? "1" : "0", "tcp_nodelay": "1",
        ])
        guard let subscriber = channel.add(socket, node: header.callerID, greeting: answer.encoded) else {
            throw ROSError(.refused, "\(topic) is no longer published")
        }
        let (identity, name) = (node, header.callerID)
        let link = PublisherLink(channel: channel, subscriber: subscriber) {
            identity.tell(.subscriberLost(topic: topic, node: name))
        }
        publisherLinks.removeAll { $0.link == nil }
        publisherLinks.append(WeakLink(link: link, topic: topic))
        loop.add(link)
        node.tell(.subscriberConnected(topic: topic, node: name))
    }

    private func acceptCaller(
        of service: String, _ header: ConnectionHeader, _ socket: SocketHandle, _ assembler: FrameAssembler,
        on loop: LoopCore
    ) throws(ROSError) {
        guard let endpoint = services[service] else {
            throw ROSError(.refused, "\(service) is not offered by \(node.name)")
        }
        let greeting = endpoint.header(for: node).encoded
        if header.isProbe { return loop.add(LingeringClose(socket: socket, bytes: greeting)) }
        if let refusal = endpoint.refusal(of: header) { throw refusal }
        let link = ServiceServerLink(
            socket: socket, endpoint: endpoint, isPersistent: header.isPersistent, loop: loop.loop)
        link.greet(greeting)
        let reader = ServiceServerReader(
            link: link, assembler: assembler, maximum: node.maximumMessageBytes, on: loop)
        serviceReaders.removeAll { $0.reader == nil }
        serviceReaders.append(WeakReader(reader: reader, service: service))
        loop.add(reader)
    }
}
