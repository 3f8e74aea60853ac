public import ROSMessages
internal import Synchronization
internal import SystemIO

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

    struct Offers {
        var topics: Set<GraphName> = []
        var services: Set<GraphName> = []
        var nextReceiver = 0
        var isShutDown = false
    }

    let loop: EventLoop
    let identity: NodeIdentity
    let masterURI: ROSURI
    let workers = WorkerThreads()
    let offers = Mutex(Offers())
    private let ended = OneShotEvent()
    private let newestWaiter = Atomic<UInt64>(0)

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

    func withCore(_ body: @escaping @Sendable (NodeCore, LoopCore) -> Void) {
        loop.submit { core in
            if let node = core.attachment as? NodeCore { body(node, core) }
        }
    }

    /// Runs `body` on the node's I/O thread, where responses are read: a service called in it returns without a change of threads,
    /// which costs as much as the network on an idle machine.
    ///
    /// For work that mostly waits for answers. While the body computes, nothing is read from the network; it must not block. Its parts
    /// that belong to an actor still run on that actor.
    public func onIOThread<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withTaskExecutorPreference(loop.executor) { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: Master

    /// Waits until the master has answered.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/masterUnreachable`` with the reason; the node keeps polling the master.
    public func waitForMaster(within timeout: Duration) async throws(ROSError) {
        try await wait(within: timeout, for: .answer)
    }

    /// Waits until the master has answered all registrations made so far.
    ///
    /// - Throws: as ``waitForMaster(within:)``.
    public func waitForRegistration(within timeout: Duration) async throws(ROSError) {
        try await wait(within: timeout, for: .registrations)
    }

    private func wait(within timeout: Duration, for event: MasterSession.Event) async throws(ROSError) {
        let answer = Answer<Void>()
        let deadline = ContinuousClock.now + timeout
        let (uri, number) = (masterURI, newestWaiter.wrappingAdd(1, ordering: .relaxed).newValue)
        let submitted = loop.submit { core in
            guard let node = core.attachment as? NodeCore else { return answer.settle(.failure(.nodeShutDown)) }
            let timer = LoopTimer { timer, core in
                timer.finish()
                let session = (core.attachment as? NodeCore)?.session
                session?.forgetWaiter(number)
                answer.settle(
                    .failure(session?.lastFailure ?? ROSMaster.explained(ROSError(.timedOut, "no answer"), uri)))
            }
            timer.set(deadline)
            core.add(timer)
            node.session.wait(number, for: event) { error in
                timer.finish()
                answer.settle(error.map { .failure($0) } ?? .success(()))
            }
        }
        guard submitted else { throw ROSError.nodeShutDown }
        try await answer.value()
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
