public import ROSMessages
internal import Sockets
internal import Synchronization

/// A node of a ROS 1 graph.
///
/// On creation it starts to listen and to poll its master; registration happens in the background and is repeated when the
/// master restarts. One dedicated thread serves all sockets; further threads run only service handlers that may block.
public final class ROSNode: Sendable {
    /// The fully qualified name.
    public let name: String
    /// The node's name resolution.
    public let names: NameResolver
    /// The client of the master's and other nodes' APIs.
    public let master: ROSMaster
    /// The parameter server.
    public let parameters: ROSParameters
    /// The time of the graph.
    public let time = ROSClock()

    private struct Offers {
        var topics: Set<GraphName> = []
        var services: Set<GraphName> = []
        var nextReceiver = 0
        var isShutDown = false
    }

    private let loop: EventLoop
    private let identity: NodeIdentity
    private let masterURI: ROSURI
    private let workers = WorkerThreads()
    private let offers = Mutex(Offers())
    private let ended = OneShotEvent()

    /// Starts the node.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/systemFailure`` when no port or thread is available,
    ///   ``ROSError/Code/invalidConfiguration``. An unreachable master is not an error here: see ``waitForMaster(within:)``.
    public init(configuration: ROSConfiguration) throws(ROSError) {
        names = configuration.names
        name = configuration.names.node.text
        masterURI = try ROSURI(configuration.masterURI, scheme: "http")
        do throws(SocketError) { loop = try EventLoop() } catch { throw ROSError(error) }
        identity = NodeIdentity(
            name: name, host: configuration.host, maximumMessageBytes: configuration.maximumMessageBytes,
            onEvent: configuration.onEvent)
        master = ROSMaster(server: masterURI, uri: configuration.masterURI, callerID: name, loop: loop)
        parameters = ROSParameters(master: master, names: names)
        let (slave, slavePort) = try Self.listen(configuration)
        let (tcpros, tcprosPort) = try Self.listen(configuration)
        let (identity, masterURI, clock, ended) = (identity, masterURI, time, ended)
        loop.submit { core in
            core.redirect = configuration.redirect?.dial
            let node = NodeCore(
                configuration: configuration, node: identity, masterURI: masterURI, slavePort: slavePort,
                tcprosPort: tcprosPort, clock: clock)
            core.attachment = node
            core.onStop.append { ended.occur() }
            node.begin(slave: slave, tcpros: tcpros, on: core)
        }
        do throws(SocketError) { try loop.start() } catch { throw ROSError(error) }
    }

    private static func listen(_ configuration: ROSConfiguration) throws(ROSError) -> (SocketHandle, port: UInt16) {
        do throws(SocketError) { return try SocketHandle.listen(on: configuration.listeningAddress) } catch {
            throw ROSError(error)
        }
    }

    deinit {
        workers.close()
        loop.submit { core in (core.attachment as? NodeCore)?.shutDown(on: core) }
    }

    private func withCore(_ body: @escaping @Sendable (NodeCore, LoopCore) -> Void) {
        loop.submit { core in
            if let node = core.attachment as? NodeCore { body(node, core) }
        }
    }

    // MARK: Master

    /// Waits until the master has answered.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/masterUnreachable`` with the reason; the node keeps polling the master.
    public func waitForMaster(within timeout: Duration) async throws(ROSError) {
        try await wait(within: timeout) { session, waiter in session.whenPresent(waiter) }
    }

    /// Waits until the master has answered all registrations made so far.
    ///
    /// - Throws: as ``waitForMaster(within:)``.
    public func waitForRegistration(within timeout: Duration) async throws(ROSError) {
        try await wait(within: timeout) { session, waiter in session.whenRegistered(waiter) }
    }

    private func wait(
        within timeout: Duration, for what: @escaping @Sendable (MasterSession, @escaping @Sendable () -> Void) -> Void
    ) async throws(ROSError) {
        let answer = Answer<Void>()
        let deadline = ContinuousClock.now + timeout
        let uri = masterURI
        let submitted = loop.submit { core in
            guard let node = core.attachment as? NodeCore else {
                return answer.settle(.failure(ROSError(.closed, "the node was shut down")))
            }
            core.onStop.append { answer.settle(.failure(ROSError(.closed, "the node was shut down"))) }
            what(node.session) { answer.settle(.success(())) }
            let timer = LoopTimer { timer, core in
                timer.finish()
                let failure = (core.attachment as? NodeCore)?.session.lastFailure
                answer.settle(
                    .failure(failure ?? ROSMaster.explained(ROSError(.timedOut, "no answer"), uri)))
            }
            timer.set(deadline)
            core.add(timer)
        }
        guard submitted else { throw ROSError(.closed, "the node was shut down") }
        try await answer.value()
    }

    // MARK: Topics

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

    /// Publishes a topic whose type is known only by its definition, such as one from a bag.
    ///
    /// - Throws: as ``advertise(_:type:latching:queue:)``.
    public func advertiseRaw(
        _ topic: String, type: String, md5: String, definition: String, latching isLatching: Bool = false,
        queue: Int = 10
    ) throws(ROSError) -> ROSRawPublisher {
        ROSRawPublisher(
            channel: try channel(
                topic, type: type, md5: md5, definition: definition, isLatching: isLatching, queue: queue), node: self)
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

    // MARK: Services

    /// Advertises a service with a synchronous handler.
    ///
    /// - Parameters:
    ///   - thread: the thread that runs the handler.
    ///   - handler: returns the response; the description of an error it throws is sent to the caller of the failed call.
    /// - Returns: the advertised service; release it to withdraw the service.
    /// - Throws: ``ROSError``: ``ROSError/Code/invalidName``, or ``ROSError/Code/misuse`` when this node already offers the
    ///   service.
    public func advertiseService<Service: ROSService>(
        _ service: String, type: Service.Type = Service.self, on thread: ROSHandlerThread = .worker,
        handler: @escaping @Sendable (Service.Request) throws -> Service.Response
    ) throws(ROSError) -> ROSServiceServer {
        let workers = workers
        return try offer(service, type: type) { bytes, respond in
            let work: @Sendable () -> Void = {
                respond(Self.answer(Service.self, to: bytes, with: handler))
            }
            switch thread {
            case .immediate: work()
            case .worker: workers.run(work)
            }
        }
    }

    /// Advertises a service with an asynchronous handler.
    ///
    /// - Throws: as ``advertiseService(_:type:on:handler:)``.
    public func advertiseService<Service: ROSService>(
        _ service: String, type: Service.Type = Service.self,
        asyncHandler: @escaping @Sendable (Service.Request) async throws -> Service.Response
    ) throws(ROSError) -> ROSServiceServer {
        try offer(service, type: type) { bytes, respond in
            var reader = ROSReader(bytes)
            let request: Service.Request
            do throws(ROSDecodingError) { request = try Service.Request(from: &reader) } catch {
                return respond(.failure(ROSServiceFailure("the request cannot be read: \(error)")))
            }
            Task {
                do { respond(.success(try await asyncHandler(request).serialised)) } catch {
                    respond(.failure(ROSServiceFailure("\(error)")))
                }
            }
        }
    }

    private static func answer<Service: ROSService>(
        _ type: Service.Type, to bytes: [UInt8], with handler: (Service.Request) throws -> Service.Response
    ) -> Result<[UInt8], ROSServiceFailure> {
        var reader = ROSReader(bytes)
        let request: Service.Request
        do throws(ROSDecodingError) { request = try Service.Request(from: &reader) } catch {
            return .failure(ROSServiceFailure("the request cannot be read: \(error)"))
        }
        do { return .success(try handler(request).serialised) } catch {
            return .failure(ROSServiceFailure("\(error)"))
        }
    }

    private func offer<Service: ROSService>(
        _ service: String, type: Service.Type,
        handle: @escaping @Sendable ([UInt8], @escaping ServiceEndpoint.Respond) -> Void
    ) throws(ROSError) -> ROSServiceServer {
        let resolved = try names.resolve(service)
        try offers.withLock { offers throws(ROSError) in
            guard !offers.isShutDown else { throw ROSError(.closed, "the node was shut down") }
            guard offers.services.insert(resolved).inserted else {
                throw ROSError(.misuse, "this node already offers the service \(resolved)")
            }
        }
        let endpoint = ServiceEndpoint(
            name: resolved.text, type: Service.typeName, md5: Service.md5, requestType: Service.Request.typeName,
            responseType: Service.Response.typeName, handle: handle)
        withCore { node, core in node.advertise(endpoint, on: core) }
        return ROSServiceServer(name: resolved.text) { [weak self] in
            guard let self else { return }
            _ = self.offers.withLock { $0.services.remove(resolved) }
            self.withCore { node, core in node.unadvertiseService(resolved.text, on: core) }
        }
    }

    /// Creates a client of a service; it connects on the first call.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func serviceClient<Service: ROSService>(
        _ service: String, type: Service.Type = Service.self, persistent: Bool = true
    ) throws(ROSError) -> ROSServiceClient<Service> {
        ROSServiceClient(
            name: try names.resolve(service).text, isPersistent: persistent, master: masterURI, node: identity,
            loop: loop)
    }

    // MARK: Shutdown

    /// Whether the node has ended, by ``shutdown()`` or by a request of the master or a user.
    public var isShutDown: Bool { ended.hasOccurred }

    /// Unregisters everything and closes all connections; returns when that is done, within about two seconds even when
    /// the master does not answer. May be called more than once.
    public func shutdown() async {
        offers.withLock { $0.isShutDown = true }
        workers.close()
        withCore { node, core in node.shutDown(on: core) }
        await ended.wait()
    }

    /// Waits until the node has ended, by ``shutdown()`` or by a request of the master or a user.
    public func waitForShutdown() async { await ended.wait() }
}
