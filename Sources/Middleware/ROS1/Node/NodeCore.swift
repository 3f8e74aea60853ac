internal import ROSMessages
internal import Sockets
internal import XMLRPC

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The state of a node; used on the I/O thread only.
final class NodeCore {
    let node: NodeIdentity
    let session: MasterSession
    let clock: ROSClock
    private let masterURI: ROSURI
    private let tcprosPort: UInt16
    private let slaveURI: String
    private let configuration: ROSConfiguration
    private var subscriptions: [String: TopicSubscription] = [:]
    private var publishers: [String: PublisherChannel] = [:]
    private var services: [String: ServiceEndpoint] = [:]
    private struct WeakLink { weak var link: PublisherLink?; let topic: String }
    private var publisherLinks: [WeakLink] = []
    private struct WeakReader { weak var reader: ServiceServerReader?; let service: String }
    private var serviceReaders: [WeakReader] = []
    private var isClosing = false

    init(
        configuration: ROSConfiguration, node: NodeIdentity, masterURI: ROSURI, slavePort: UInt16, tcprosPort: UInt16,
        clock: ROSClock
    ) {
        self.configuration = configuration
        self.node = node
        self.masterURI = masterURI
        let announce = configuration.redirect?.announce ?? { $0 }
        let (slavePort, tcprosPort) = (announce(slavePort), announce(tcprosPort))
        self.tcprosPort = tcprosPort
        self.clock = clock
        slaveURI = "http://\(node.host):\(slavePort)/"
        session = MasterSession(
            uri: masterURI, node: node, ownURI: slaveURI, serviceURI: "rosrpc://\(node.host):\(tcprosPort)")
    }

    /// Starts the listeners and the search for the master.
    func begin(slave: SocketHandle, tcpros: SocketHandle, on loop: LoopCore) {
        loop.add(
            XMLRPCServer(socket: slave) { [weak self] call, loop in
                self?.answer(call, on: loop) ?? .fault(code: 1, text: "the node was shut down")
            })
        loop.add(
            TCPROSListener(socket: tcpros) { [weak self] header, socket, assembler, loop in
                self?.accept(header, socket, assembler, on: loop)
            })
        session.onPublishers = { [weak self] topic, uris, loop in
            self?.subscriptions[topic]?.update(publishers: uris, on: loop)
        }
        session.onFound = { [weak self] loop in self?.masterFound(on: loop) }
        if configuration.usesSimulatedTime == true { followClock(on: loop) }
        session.begin(on: loop)
    }

    /// Unregisters everything and stops the loop, in bounded time.
    func shutDown(on loop: LoopCore) {
        guard !isClosing else { return }
        isClosing = true
        for channel in publishers.values { channel.close() }
        for subscription in subscriptions.values { subscription.close() }
        // Long enough for fifty calls to a master on the same machine or a few over a bad link.
        session.close(until: .now + .seconds(2), on: loop) { loop.loop.stop() }
    }

    private func masterFound(on loop: LoopCore) {
        for (name, value) in configuration.privateParameters {
            guard let key = try? configuration.names.resolve("~" + name) else { continue }
            ask("setParam", [.string(key.text), .string(value)], on: loop) { _, _ in }
        }
        guard configuration.usesSimulatedTime == nil else { return }
        ask("getParam", [.string("/use_sim_time")], on: loop) { [weak self] value, loop in
            if value?.boolValue == true { self?.followClock(on: loop) }
        }
    }

    private func ask(
        _ method: String, _ parameters: [XMLRPCValue], on loop: LoopCore,
        then: @escaping (XMLRPCValue?, LoopCore) -> Void
    ) {
        let connection = XMLRPCClientConnection(server: masterURI, closesWhenIdle: true)
        loop.add(connection)
        let master = masterURI
        connection.ask(
            XMLRPCCall(method, [.string(node.name)] + parameters), until: .now + ROSMaster.defaultTimeout, on: loop
        ) { result, loop in then(try? ROSMaster.value(of: result, from: master, isMaster: true).get(), loop) }
    }

    private func followClock(on loop: LoopCore) {
        guard !clock.isSimulated else { return }
        clock.follow()
        let clock = clock
        let receiver = TopicSubscription.Receiver(
            id: 0, type: "rosgraph_msgs/Clock", md5: "a9c97c1d230cfc112e270351a944ee47", definition: "time clock\n"
        ) { bytes, block, _ in
            var reader = ROSReader(bytes, range: block)
            if let time = try? reader.readTime() { clock.set(time) }
        }
        subscribe("/clock", receiver, on: loop)
    }

    // MARK: Publishers, subscribers and services

    func advertise(_ channel: PublisherChannel, on loop: LoopCore) {
        publishers[channel.topic] = channel
        session.register(.publisher(topic: channel.topic, type: channel.type), on: loop)
    }

    func unadvertise(_ channel: PublisherChannel, on loop: LoopCore) {
        channel.close()
        guard publishers[channel.topic] === channel else { return }
        publishers[channel.topic] = nil
        for link in publisherLinks where link.topic == channel.topic { link.link?.end() }
        session.unregister(.publisher(topic: channel.topic, type: channel.type), on: loop)
    }

    func subscribe(_ topic: String, _ receiver: TopicSubscription.Receiver, on loop: LoopCore) {
        if let subscription = subscriptions[topic] {
            subscription.add(receiver)
            return
        }
        let subscription = TopicSubscription(topic: topic, node: node)
        subscription.add(receiver)
        subscriptions[topic] = subscription
        session.register(.subscriber(topic: topic, type: subscription.registeredType), on: loop)
    }

    func unsubscribe(_ topic: String, _ id: Int, on loop: LoopCore) {
        guard let subscription = subscriptions[topic] else { return }
        let type = subscription.registeredType
        subscription.remove(id)
        guard subscription.receivers.isEmpty else { return }
        subscription.close()
        subscriptions[topic] = nil
        session.unregister(.subscriber(topic: topic, type: type), on: loop)
    }

    func advertise(_ endpoint: ServiceEndpoint, on loop: LoopCore) {
        services[endpoint.name] = endpoint
        session.register(.service(endpoint.name), on: loop)
    }

    func unadvertiseService(_ name: String, on loop: LoopCore) {
        guard services.removeValue(forKey: name) != nil else { return }
        for reader in serviceReaders where reader.service == name { reader.reader?.end() }
        session.unregister(.service(name), on: loop)
    }

    // MARK: Incoming connections

    private func accept(
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

    // MARK: The slave API

    private func answer(_ call: XMLRPCCall, on loop: LoopCore) -> XMLRPCResponse {
        let parameters = call.parameters
        switch call.method {
        case "getPid": return MasterResponse.done(.int(Int(getpid())))
        case "getMasterUri": return MasterResponse.done(.string(configuration.masterURI))
        case "getName": return MasterResponse.done(.string(node.name))
        case "getUri": return MasterResponse.done(.string(slaveURI))
        case "getPublications":
            return MasterResponse.done(.array(publishers.values.map { .array([.string($0.topic), .string($0.type)]) }))
        case "getSubscriptions":
            return MasterResponse.done(
                .array(subscriptions.values.map { .array([.string($0.topic), .string($0.type)]) }))
        case "getBusInfo": return MasterResponse.done(busInfo)
        case "getBusStats": return MasterResponse.done(busStats)
        case "publisherUpdate":
            guard parameters.count == 3, let topic = parameters[1].stringValue, let uris = parameters[2].stringsValue,
                uris.count <= Self.maximumPublishers
            else { return MasterResponse.refused("publisherUpdate takes caller, topic and publishers") }
            subscriptions[topic]?.update(publishers: uris, on: loop)
            return MasterResponse.done(.int(0))
        case "requestTopic": return requestTopic(parameters)
        // Parameters are read when they are needed and not cached.
        case "paramUpdate": return MasterResponse.done(.int(0))
        case "shutdown":
            let reason = parameters.dropFirst().first?.stringValue ?? ""
            node.tell(.shutdownRequested(reason: reason))
            // Submitted, so that the answer is sent first.
            loop.loop.submit { loop in (loop.attachment as? NodeCore)?.shutDown(on: loop) }
            return MasterResponse.done(.int(0))
        default: return .fault(code: 1, text: "method '\(call.method.prefix(64))' is not supported")
        }
    }

    /// The most publishers of one topic accepted from the master; no real graph has as many.
    private static let maximumPublishers = 1024

    private func requestTopic(_ parameters: [XMLRPCValue]) -> XMLRPCResponse {
        guard parameters.count == 3, let topic = parameters[1].stringValue, let protocols = parameters[2].arrayValue
        else { return MasterResponse.refused("requestTopic takes caller, topic and protocols") }
        guard publishers[topic] != nil else {
            return MasterResponse.refused("\(topic) is not published by \(node.name)")
        }
        guard protocols.contains(where: { $0.arrayValue?.first?.stringValue == "TCPROS" }) else {
            return MasterResponse.refused("no supported protocol", code: 0)
        }
        return MasterResponse.done(
            .array([.string("TCPROS"), .string(node.host), .int(Int(tcprosPort))]),
            "ready on \(node.host):\(tcprosPort)")
    }

    private var busInfo: XMLRPCValue {
        var rows: [XMLRPCValue] = []
        for channel in publishers.values {
            for peer in channel.subscriberNodes {
                rows.append(
                    .array([
                        .int(rows.count + 1), .string(peer), .string("o"), .string("TCPROS"), .string(channel.topic),
                        .bool(true),
                    ]))
            }
        }
        for subscription in subscriptions.values {
            for connection in subscription.connections {
                rows.append(
                    .array([
                        .int(rows.count + 1), .string(connection.uri), .string("i"), .string("TCPROS"),
                        .string(subscription.topic), .bool(true),
                    ]))
            }
        }
        return .array(rows)
    }

    private var busStats: XMLRPCValue {
        let published = publishers.values.map { channel -> XMLRPCValue in
            let counts = channel.counts
            return .array([
                .string(channel.topic), .int(Int(truncatingIfNeeded: counts.sent)),
                .array([.array([.int(0), .int(0), .int(Int(truncatingIfNeeded: counts.sent)), .bool(true)])]),
            ])
        }
        let subscribed = subscriptions.values.map { subscription -> XMLRPCValue in
            .array([
                .string(subscription.topic),
                .array(
                    subscription.connections.enumerated().map { index, connection in
                        .array([
                            .int(index + 1), .int(Int(truncatingIfNeeded: connection.bytes)), .int(-1), .bool(true),
                        ])
                    }),
            ])
        }
        return .array([.array(published), .array(subscribed), .array([.int(0), .int(0), .int(0)])])
    }
}
