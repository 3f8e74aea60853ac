internal import ROSMessages
internal import SystemIO
internal import XMLRPC

/// The state of a node; used on the I/O thread only.
final class NodeCore {
    let node: NodeIdentity
    let session: MasterSession
    let clock: ROSClock
    private let masterURI: ROSURI
    let tcprosPort: UInt16
    let slaveURI: String
    let configuration: ROSConfiguration
    var subscriptions: [String: TopicSubscription] = [:]
    var publishers: [String: PublisherChannel] = [:]
    var services: [String: ServiceEndpoint] = [:]
    struct WeakLink { weak var link: PublisherLink?; let topic: String }
    var publisherLinks: [WeakLink] = []
    struct WeakReader { weak var reader: ServiceServerReader?; let service: String }
    var serviceReaders: [WeakReader] = []
    var isClosing = false

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
}
