internal import Synchronization

/// A node of a ROS 1 graph.
///
/// It begins to listen and to look for its master when it is made, registers everything in the background, and anew
/// whenever the master restarts. It has one thread of its own for all its sockets, and further ones only for service
/// handlers that may block.
public final class ROSNode: Sendable {
    /// The complete name.
    public let name: String
    /// How this node resolves names.
    public let names: NameResolver
    /// Asks the master and other nodes.
    public let master: ROSMaster
    /// Parameters kept by the master.
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
    private let ended = Answers()

    /// Begins to take part.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/systemFailure`` when no port or no thread can be had,
    ///   ``ROSError/Code/invalidConfiguration``. A master that does not answer is no error here:
    ///   see ``waitForMaster(within:)``.
    public init(configuration: ROSConfiguration) throws(ROSError) {
        names = configuration.names
        name = configuration.names.node.text
        masterURI = try ROSURI(configuration.masterURI, scheme: "http")
        loop = try EventLoop()
        identity = NodeIdentity(
            name: name, host: configuration.host, maximumMessageBytes: configuration.maximumMessageBytes,
            onEvent: configuration.onEvent)
        master = ROSMaster(server: masterURI, uri: configuration.masterURI, callerID: name, loop: loop)
        parameters = ROSParameters(master: master, names: names)
        let (slave, slavePort) = try SocketHandle.listen(on: configuration.listeningAddress)
        let (tcpros, tcprosPort) = try SocketHandle.listen(on: configuration.listeningAddress)
        let (identity, masterURI, clock, ended) = (identity, masterURI, time, ended)
        loop.submit { core in
            core.detour = configuration.detour
            let node = NodeCore(
                configuration: configuration, node: identity, masterURI: masterURI, slavePort: slavePort,
                tcprosPort: tcprosPort, clock: clock)
            core.attachment = node
            core.onStop.append { ended.settle() }
            node.begin(slave: slave, tcpros: tcpros, on: core)
        }
        try loop.start()
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
    /// - Throws: ``ROSError``: ``ROSError/Code/masterUnreachable`` with the reason; the node goes on looking for it.
    public func waitForMaster(within timeout: Duration) async throws(ROSError) {
        try await wait(within: timeout) { session, waiter in session.whenPresent(waiter) }
    }

    /// Waits until the master knows everything that was advertised and subscribed so far.
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
    ///   - topic: resolved as ``names`` says.
    ///   - isLatching: whether a new subscriber gets the last message at once.
    ///   - queue: how many messages may wait for a subscriber that does not keep up; then the oldest is dropped.
    /// - Throws: ``ROSError``: ``ROSError/Code/invalidName``, or ``ROSError/Code/misuse`` when this node publishes the
    ///   topic already.
    public func advertise<Message: ROSMessage>(
        _ topic: String, type: Message.Type = Message.self, latching isLatching: Bool = false, queue: Int = 10
    ) throws(ROSError) -> ROSPublisher<Message> {
        let channel = try channel(
            topic, type: Message.typeName, md5: Message.md5, definition: Message.definition, isLatching: isLatching,
            queue: queue)
        return ROSPublisher(channel: channel, node: self)
    }

    /// Publishes a topic of a type that is only known by its definition, such as one recorded in a bag.
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
                throw ROSError(.misuse, "\(resolved) is published by this node already")
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
    /// - Parameter onMessage: called on the node's I/O thread for each message; it must return at once.
    /// - Returns: what keeps the subscription alive; let go of it to end it.
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

    /// Subscribes to a topic whatever its type is.
    ///
    /// - Parameter onMessage: called on the node's I/O thread with the message's bytes and the publisher's header, which
    ///   has the type, its sum and its definition; it must return at once.
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func subscribeRaw(
        _ topic: String, onMessage: @escaping @Sendable ([UInt8], ConnectionHeader) -> Void
    ) throws(ROSError) -> ROSSubscription {
        subscribe(try names.resolve(topic).text, type: "*", md5: "*", definition: "") { bytes, block, header in
            onMessage(Array(bytes[block]), header)
        }
    }

    /// As ``subscribeRaw(_:onMessage:)``, without a copy of each message: for topics of which most messages are not looked at.
    ///
    /// - Parameter onMessage: called on the node's I/O thread with bytes, where the message lies in them, and the publisher's
    ///   header. The bytes must not be kept: they are what is read into.
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

    /// Offers a service whose handler returns its answer.
    ///
    /// - Parameters:
    ///   - thread: where the handler runs.
    ///   - handler: what it throws reaches the caller as the text of a failed call.
    /// - Returns: what keeps the service offered; let go of it to withdraw it.
    /// - Throws: ``ROSError``: ``ROSError/Code/invalidName``, or ``ROSError/Code/misuse`` when this node offers the
    ///   service already.
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

    /// Offers a service whose handler is asynchronous.
    ///
    /// - Throws: as the other of the same name.
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
                throw ROSError(.misuse, "\(resolved) is offered by this node already")
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

    /// A client of a service; nothing is asked or connected before the first call.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func serviceClient<Service: ROSService>(
        _ service: String, type: Service.Type = Service.self, persistent: Bool = true
    ) throws(ROSError) -> ROSServiceClient<Service> {
        ROSServiceClient(
            name: try names.resolve(service).text, isPersistent: persistent, master: masterURI, node: identity,
            loop: loop)
    }

    // MARK: End

    /// Whether the node has ended, by ``shutdown()`` or because it was told to.
    public var isShutDown: Bool { ended.isSettled }

    /// Unregisters everything and ends all connections; returns when that is done, within about two seconds even when
    /// the master is silent. Safe to call twice.
    public func shutdown() async {
        offers.withLock { $0.isShutDown = true }
        workers.close()
        withCore { node, core in node.shutDown(on: core) }
        await ended.wait()
    }

    /// Waits until the node has ended, by ``shutdown()`` or because it was told to.
    public func waitForShutdown() async { await ended.wait() }
}

/// Something that happens once, awaited by any number.
private final class Answers: Sendable {
    private struct State {
        var isSettled = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isSettled: Bool { state.withLock { $0.isSettled } }

    func settle() {
        let waiters = state.withLock { state in
            state.isSettled = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if !state.isSettled { state.waiters.append(continuation) }
                return state.isSettled
            }
            if isSettled { continuation.resume() }
        }
    }
}
