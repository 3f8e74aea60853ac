internal import Synchronization
internal import SystemIO

/// A client of a Zenoh router.
///
/// On creation it begins to connect; a lost session is opened again and everything declared anew. One dedicated thread
/// serves the connection; callbacks run on it and must not block. What the client itself publishes and answers does not
/// come back to it: routers deliver to others only.
public final class ZenohClient: Sendable {
    /// Our identity.
    public let id: ZenohID
    let loop: EventLoop
    let output: SessionOutput
    let queries: QueryTable
    private let newestID = Atomic<UInt32>(0)
    private let newestWaiter = Atomic<UInt64>(0)
    private let place: String

    /// Starts the client.
    ///
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/systemFailure`` when there is no thread. An unreachable router
    /// is no error here:
    ///   see ``waitForSession(within:)``.
    public init(configuration: ZenohConfiguration) throws(ZenohError) {
        var generator = SystemRandomNumberGenerator()
        let id = configuration.id ?? ZenohID(using: &generator)
        self.id = id
        do throws(SocketError) { loop = try EventLoop() } catch { throw ZenohError(error) }
        let output = SessionOutput(loop: loop, maximumWaiting: configuration.maximumWaitingBytes)
        let queries = QueryTable(maximumBytes: configuration.maximumMessageBytes)
        self.output = output
        self.queries = queries
        place = configuration.locator
        loop.submit { core in
            core.redirect = configuration.redirect?.dial
            let client = ClientCore(configuration: configuration, id: id, output: output, queries: queries)
            core.attachment = client
            client.begin(on: core)
        }
        do throws(SocketError) { try loop.start() } catch { throw ZenohError(error) }
    }

    deinit { end() }

    private func end() {
        loop.submit { core in (core.attachment as? ClientCore)?.shutDown() }
        loop.stop()
    }

    /// Ends the session in good order, withdraws everything and stops the thread. May be called more than once.
    public func shutdown() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isRunning = loop.submit { core in core.onStop.append { continuation.resume() } }
            if isRunning { end() } else { continuation.resume() }
        }
    }

    /// Waits until a session is open and everything declared so far was sent.
    ///
    /// - Throws: ``ZenohError`` with the reason of the last failure, at once where waiting does not help (a certificate that
    ///   was not accepted, a file that cannot be read); the client keeps trying.
    public func waitForSession(within timeout: Duration) async throws(ZenohError) {
        let answer = Answer<Void>()
        let deadline = ContinuousClock.now + timeout
        let (place, number) = (place, newestWaiter.wrappingAdd(1, ordering: .relaxed).newValue)
        let submitted = loop.submit { core in
            guard let client = core.attachment as? ClientCore else { return answer.settle(.failure(.clientShutDown)) }
            let timer = LoopTimer { timer, core in
                timer.finish()
                let client = core.attachment as? ClientCore
                client?.forgetWaiter(number)
                let failure = client?.lastFailure
                answer.settle(
                    .failure(failure ?? ZenohError(.timedOut, "no answer from the Zenoh router at \(place)")))
            }
            timer.set(deadline)
            core.add(timer)
            client.whenOpen(number) { error in
                timer.finish()
                answer.settle(error.map { .failure($0) } ?? .success(()))
            }
        }
        guard submitted else { throw ZenohError.clientShutDown }
        try await answer.value()
    }

    /// Whether a session is open now.
    public var isConnected: Bool { output.session != nil }

    /// Messages given to the connection, and messages dropped because it did not keep up or did not exist.
    public var counts: (sent: UInt64, dropped: UInt64) { output.counts }

    // MARK: Declarations

    /// A publisher of a key without wildcards.
    ///
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/invalidKey``.
    public func publisher(
        of key: String, qos: ZenohQoS = .default, encoding: ZenohEncoding = .bytes
    ) throws(ZenohError) -> ZenohPublisher {
        try Self.checkPlain(key)
        return ZenohPublisher(key: key, qos: qos, encoding: encoding, output: output)
    }

    /// Subscribes to a key, which may have wildcards.
    ///
    /// - Parameter deliver: called on the I/O thread; must not block.
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/invalidKey`` or ``ZenohError/Code/closed``.
    public func subscribe(
        to key: String, _ deliver: @escaping @Sendable (ZenohSample) -> Void
    ) throws(ZenohError) -> ZenohDeclaration {
        try KeyExpression.check(key)
        let isWild = KeyExpression.isWild(key.utf8)
        return try declare(key) { client, id in
            client.add(Declarations.Subscriber(id: id, key: key, isWild: isWild, deliver: deliver))
        }
    }

    /// Answers the queries for a key, which may have wildcards.
    ///
    /// - Parameters:
    ///   - isComplete: whether it has all there is of the key, as a service has.
    ///   - answer: called on the I/O thread; must not block, but may keep the query and reply later from any thread.
    /// - Throws: as ``subscribe(to:_:)``.
    public func serve(
        _ key: String, isComplete: Bool = true, _ answer: @escaping @Sendable (ZenohQuery) -> Void
    ) throws(ZenohError) -> ZenohDeclaration {
        try KeyExpression.check(key)
        return try declare(key) { client, id in
            client.add(Declarations.Queryable(id: id, key: key, isComplete: isComplete, answer: answer))
        }
    }

    /// Declares a liveliness token, which others see while this session lasts.
    ///
    /// - Throws: as ``subscribe(to:_:)``.
    public func declareToken(_ key: String) throws(ZenohError) -> ZenohDeclaration {
        try Self.checkPlain(key)
        return try declare(key) { client, id in client.add(Declarations.Token(id: id, key: key)) }
    }

    /// Watches liveliness tokens: those that exist, and those that come and go. Our own are among them.
    ///
    /// Over a loss of the session nothing is delivered; once there is a new one, what is gone is delivered as such.
    ///
    /// - Parameter deliver: called on the I/O thread; must not block.
    /// - Throws: as ``subscribe(to:_:)``.
    public func watchTokens(
        matching key: String, _ deliver: @escaping @Sendable (ZenohTokenChange) -> Void
    ) throws(ZenohError) -> ZenohDeclaration {
        try KeyExpression.check(key)
        return try declare(key) { client, id in client.add(TokenWatch(id: id, key: key, deliver: deliver)) }
    }

    private func declare(
        _ key: String, _ add: @escaping @Sendable (ClientCore, UInt32) -> Void
    ) throws(ZenohError) -> ZenohDeclaration {
        let id = takeID()
        let submitted = loop.submit { core in
            if let client = core.attachment as? ClientCore { add(client, id) }
        }
        guard submitted else { throw ZenohError.clientShutDown }
        return ZenohDeclaration(key: key) { [loop] in
            loop.submit { core in (core.attachment as? ClientCore)?.remove(id) }
        }
    }

    /// A number for a declaration or an interest, unique in this client.
    func takeID() -> UInt32 { newestID.wrappingAdd(1, ordering: .relaxed).newValue }

    private static func checkPlain(_ key: String) throws(ZenohError) {
        try KeyExpression.check(key)
        guard !KeyExpression.isWild(key.utf8) else {
            throw ZenohError(.invalidKey, "'\(key)' has wildcards; here a key must stand for itself")
        }
    }
}
