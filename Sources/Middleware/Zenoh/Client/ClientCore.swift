internal import SystemIO

/// The client's state on the I/O thread: its declarations, and the connection, which is made again whenever it ends.
final class ClientCore {
    /// The pause before connecting again after the first failure; doubled by each further one.
    private static let firstPause: Duration = .milliseconds(250)
    private static let longestPause: Duration = .seconds(2)
    /// A session that lived that long was a good one: the next failure is a first one again.
    private static let goodSession: Duration = .seconds(5)

    private struct TokenQuery {
        let completion: @Sendable (Result<[String], ZenohError>) -> Void
        let timer: LoopTimer
        var keys: [String] = []
        var bytes = 0
    }

    let configuration: ZenohConfiguration
    private let id: ZenohID
    let output: SessionOutput
    private let queries: QueryTable
    let secureConnector = SecureConnector()
    var declarations = Declarations()
    var check = DeclarationCheck()
    private var tokenQueries: [UInt32: TokenQuery] = [:]
    private var routerTokens = RouterTokens()
    private var link: RouterLink?
    private var reconnect: LoopTimer?
    private var pause = firstPause
    private(set) var openedAt: ContinuousClock.Instant?
    private var wasOpen = false
    private var openWaiters: [UInt64: (ZenohError?) -> Void] = [:]
    private var isShutDown = false
    /// Why the last session ended or was not opened.
    private(set) var lastFailure: ZenohError?

    init(configuration: ZenohConfiguration, id: ZenohID, output: SessionOutput, queries: QueryTable) {
        self.configuration = configuration
        self.id = id
        self.output = output
        self.queries = queries
    }

    var isOpen: Bool { openedAt != nil }

    /// Calls the waiter once: when a session is open, or with an error when the client ends or waiting does not help.
    func whenOpen(_ number: UInt64, _ waiter: @escaping (ZenohError?) -> Void) {
        if isShutDown { return waiter(.clientShutDown) }
        if let lastFailure, Self.isLasting(lastFailure) { return waiter(lastFailure) }
        if isOpen { waiter(nil) } else { openWaiters[number] = waiter }
    }

    /// A waiter has given up: it is not called.
    func forgetWaiter(_ number: UInt64) { openWaiters[number] = nil }

    /// Whether the next attempt fails likewise, unless somebody corrects something.
    private static func isLasting(_ error: ZenohError) -> Bool {
        error.code == .untrusted || error.code == .invalidConfiguration
    }

    private func settleWaiters(_ error: ZenohError?) {
        let waiters = openWaiters
        openWaiters = [:]
        for waiter in waiters.values { waiter(error) }
    }

    // MARK: Connection

    func begin(on loop: LoopCore) {
        loop.add(QueryExpiry(queries))
        let timer = LoopTimer { [weak self] _, loop in self?.connect(on: loop) }
        reconnect = timer
        loop.add(timer)
        beginChecking(on: loop)
        connect(on: loop)
    }

    private func connect(on loop: LoopCore) {
        var settings = SessionMachine.Settings(id: id)
        settings.lease = max(configuration.lease, .seconds(1))
        settings.openTimeout = configuration.openTimeout
        settings.maximumMessageBytes = configuration.maximumMessageBytes
        let link = RouterLink(
            to: configuration, settings: settings, output: output, connector: secureConnector
        ) { [weak self] event throws(ZenohError) in
            try self?.take(event)
        } onEnd: { [weak self] error, loop in
            self?.ended(error, on: loop)
        }
        self.link = link
        loop.add(link)
        link.begin(on: loop)
    }

    private func opened(_ router: ZenohID, batchSize: Int) {
        output.open(batchSize: batchSize, firstNumber: 0)
        let again = wasOpen
        openedAt = .now
        wasOpen = true
        lastFailure = nil
        _ = output.send(isDroppable: false) { declarations.write(to: &$0) }
        settleWaiters(nil)
        configuration.onEvent?(.connected(router: router, again: again))
    }

    private func ended(_ error: ZenohError, on loop: LoopCore) {
        lastFailure = error
        if let openedAt, openedAt.duration(to: .now) >= Self.goodSession { pause = Self.firstPause }
        let wasOpen = isOpen
        forgetSession(error)
        if Self.isLasting(error) { settleWaiters(error) }
        configuration.onEvent?(wasOpen ? .lost(error) : .unreachable(error))
        reconnect?.set(.now + pause)
        pause = min(pause * 2, Self.longestPause)
    }

    private func forgetSession(_ error: ZenohError) {
        openedAt = nil
        check = DeclarationCheck()
        routerTokens = RouterTokens()
        for index in declarations.watches.indices { declarations.watches[index].sessionEnded() }
        let lost = ZenohError(
            .connectionLost, "the session ended before the answer: \(error.what)",
            hint: "it is not known whether the query was executed")
        queries.failAll(lost)
        let waiting = tokenQueries
        tokenQueries = [:]
        for query in waiting.values {
            query.timer.finish()
            query.completion(.failure(lost))
        }
    }

    func shutDown() {
        reconnect?.finish()
        link?.close()
        forgetSession(.clientShutDown)
        isShutDown = true
        settleWaiters(.clientShutDown)
    }

    // MARK: Declarations

    func add(_ subscriber: Declarations.Subscriber) {
        declarations.subscribers.append(subscriber)
        declare { $0.writeSubscriber(id: subscriber.id, key: subscriber.key) }
    }

    func add(_ queryable: Declarations.Queryable) {
        declarations.queryables.append(queryable)
        declare { $0.writeQueryable(id: queryable.id, key: queryable.key, isComplete: queryable.isComplete) }
    }

    func add(_ token: Declarations.Token) {
        declarations.tokens.append(token)
        declare { $0.writeToken(id: token.id, key: token.key) }
    }

    func add(_ watch: TokenWatch) {
        declarations.watches.append(watch)
        declare { $0.writeTokenInterest(id: watch.id, key: watch.key, future: true) }
    }

    /// Withdraws the declaration of that number.
    func remove(_ id: UInt32) {
        if let index = declarations.subscribers.firstIndex(where: { $0.id == id }) {
            declarations.subscribers.remove(at: index)
            declare { $0.writeUndeclareSubscriber(id: id) }
        } else if let index = declarations.queryables.firstIndex(where: { $0.id == id }) {
            declarations.queryables.remove(at: index)
            declare { $0.writeUndeclareQueryable(id: id) }
        } else if let index = declarations.tokens.firstIndex(where: { $0.id == id }) {
            declarations.tokens.remove(at: index)
            declare { $0.writeUndeclareToken(id: id) }
        } else if let index = declarations.watches.firstIndex(where: { $0.id == id }) {
            declarations.watches.remove(at: index)
            declare { $0.writeInterestFinal(id: id) }
        }
    }

    func declare(_ encode: (inout ZenohWriter) -> Void) {
        guard isOpen else { return }
        let result = output.send(isDroppable: false) { $0.append(isReliable: true, encode) }
        // A session that lacks a declaration is of no use: in the next one everything is declared.
        if result == .dropped { output.giveUp() }
    }

    /// Asks for the tokens that exist now.
    func askTokens(
        id: UInt32, key: String, until deadline: ContinuousClock.Instant, on loop: LoopCore,
        _ completion: @escaping @Sendable (Result<[String], ZenohError>) -> Void
    ) {
        guard isOpen else { return completion(.failure(lastFailure ?? .noSession)) }
        let timer = LoopTimer { [weak self] timer, _ in
            timer.finish()
            guard let query = self?.tokenQueries.removeValue(forKey: id) else { return }
            query.completion(.failure(ZenohError(.timedOut, "the router did not name all liveliness tokens in time")))
        }
        timer.set(deadline)
        loop.add(timer)
        tokenQueries[id] = TokenQuery(completion: completion, timer: timer)
        declare { $0.writeTokenInterest(id: id, key: key, future: false) }
    }

    // MARK: Messages

    private func take(_ event: SessionMachine.Event) throws(ZenohError) {
        switch event {
        case .opened(let router, let batchSize): opened(router, batchSize: batchSize)
        case .message(let message, let key, let bytes): try take(message, key, bytes)
        }
    }

    private func take(_ message: NetworkMessage, _ key: InboundKey?, _ bytes: [UInt8]) throws(ZenohError) {
        switch message {
        case .push(_, _, let publication):
            if let key { deliver(publication, key, bytes) }
        case .request(let request):
            if let key { answer(request, key.text(in: bytes), bytes) }
        case .response(let id, _, .value(let publication)):
            let sample = ZenohSample(key: key?.text(in: bytes) ?? "", publication, in: bytes)
            queries.take(.value(sample.detached), bytes: sample.keptBytes, for: id)
        case .response(let id, _, .failure(_, let payload)):
            queries.take(.failure(Array(bytes[payload])), bytes: payload.count, for: id)
        case .responseFinal(let id): queries.finish(id)
        case .declare(let interest, .token(let id, _)):
            if let key { try takeToken(key.text(in: bytes), id: id, interest: interest) }
        case .declare(_, .undeclareToken(let id, _)):
            let token = routerTokens.undeclare(id) ?? key?.text(in: bytes)
            guard let token else { break }
            for index in declarations.watches.indices { declarations.watches[index].vanished(token) }
        case .declare(let interest?, .final): finishTokens(interest)
        case .declare, .interest, .skipped: break
        }
    }

    private func deliver(_ publication: NetworkMessage.Publication, _ key: InboundKey, _ bytes: [UInt8]) {
        let isWild = key.isWild(in: bytes)
        var text: String?
        for subscriber in declarations.subscribers where subscriber.matches(key, in: bytes, isReceivedWild: isWild) {
            // Its own text is the same, and exists already.
            let name = subscriber.isWild || isWild ? text ?? key.text(in: bytes) : subscriber.key
            text = name
            subscriber.deliver(ZenohSample(key: name, publication, in: bytes))
        }
    }

    private func answer(_ request: NetworkMessage.Request, _ key: String, _ bytes: [UInt8]) {
        guard let session = output.session else { return }
        // Released at the end when nobody keeps it: the end of the replies is sent then.
        let query = ZenohQuery(request, key: key, in: bytes, session: session, output: output)
        for queryable in declarations.queryables where KeyExpression.intersect(queryable.key, key) {
            queryable.answer(query)
        }
    }

    private func takeToken(_ token: String, id: UInt32, interest: UInt32?) throws(ZenohError) {
        if check.found(interest) { return }
        if let interest, tokenQueries[interest] != nil {
            tokenQueries[interest]?.keys.append(token)
            tokenQueries[interest]?.bytes += token.utf8.count
            guard let query = tokenQueries[interest], query.keys.count <= TokenWatch.maximumTokens,
                query.bytes <= TokenWatch.maximumBytes
            else { throw ZenohError(.tooLarge, "the router declared too many liveliness tokens") }
            return
        }
        var isWatched = false
        for index in declarations.watches.indices {
            let watch = declarations.watches[index]
            guard interest == nil || interest == watch.id, KeyExpression.intersect(watch.key, token) else { continue }
            isWatched = true
            try declarations.watches[index].appeared(token)
        }
        if isWatched { try routerTokens.declare(id, token) }
    }

    private func finishTokens(_ interest: UInt32) {
        if check.isAsked(interest) { return endCheck() }
        if let query = tokenQueries.removeValue(forKey: interest) {
            query.timer.finish()
            return query.completion(.success(query.keys))
        }
        guard let index = declarations.watches.firstIndex(where: { $0.id == interest }) else { return }
        declarations.watches[index].allSaid()
    }
}
