internal import Synchronization
internal import SystemIO

/// What a query asks for.
public struct ZenohQuestion: Sendable {
    /// The key, which may have wildcards.
    public var key: String
    /// The text behind the key, such as `a=1;b=2`.
    public var parameters = ""
    /// The payload; `nil` for none.
    public var payload: [UInt8]?
    /// The attachment; `nil` for none.
    public var attachment: [UInt8]?
    /// Which queryables are asked.
    public var target = ZenohTarget.bestMatching
    /// What routers do with several replies for one key.
    public var consolidation = ZenohConsolidation.automatic
    /// How routers treat it.
    public var qos = ZenohQoS.service
    /// The query is done after so many replies, without waiting for the end of the replies.
    public var replyLimit = Int.max

    /// Creates a question.
    public init(key: String) { self.key = key }
}

extension ZenohClient {
    /// Asks the queryables of a key; the query is written on the calling thread.
    ///
    /// Without a queryable there are no replies, at once: "no such service".
    ///
    /// - Parameter timeout: for all replies together; routers are told.
    /// - Throws: ``ZenohError``: ``ZenohError/Code/notConnected`` and ``ZenohError/Code/congested`` when nothing was
    /// sent,
    ///   ``ZenohError/Code/timedOut``, ``ZenohError/Code/connectionLost``, ``ZenohError/Code/cancelled``.
    public func query(_ question: ZenohQuestion, timeout: Duration) async throws(ZenohError) -> [ZenohReply] {
        let asked = AskedQuery()
        let answer = Answer<[ZenohReply]>(onCancel: { [queries] in
            if let id = asked.id { queries.end(id, .failure(ZenohError(.cancelled, "the call was cancelled"))) }
        })
        asked.note(try ask(question, timeout: timeout) { answer.settle($0) })
        return try await answer.value()
    }

    /// As ``query(_:timeout:)``, with a completion, which is called once, on the I/O thread.
    public func query(
        _ question: ZenohQuestion, timeout: Duration,
        completion: @escaping @Sendable (Result<[ZenohReply], ZenohError>) -> Void
    ) {
        do throws(ZenohError) { _ = try ask(question, timeout: timeout, completion) } catch {
            completion(.failure(error))
        }
    }

    private func ask(
        _ question: ZenohQuestion, timeout: Duration,
        _ completion: @escaping @Sendable (Result<[ZenohReply], ZenohError>) -> Void
    ) throws(ZenohError) -> UInt32 {
        try KeyExpression.check(question.key)
        let milliseconds = Self.milliseconds(timeout)
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        var query = ZenohWriter.Query(key: question.key, timeoutMilliseconds: milliseconds)
        query.parameters = question.parameters
        query.target = question.target
        query.consolidation = question.consolidation
        query.qos = question.qos
        let id = try queries.add(until: deadline, replyLimit: question.replyLimit, completion)
        let result = output.send(isDroppable: false) { writer in
            writer.append(isReliable: true) { message in
                withOptionalBytes(question.payload) { payload in
                    withOptionalBytes(question.attachment) { attachment in
                        message.writeRequest(id: id, query, payload: payload, attachment: attachment)
                    }
                }
            }
        }
        switch result {
        case .sent: loop.ensureAwake(at: deadline)
        case .notConnected: queries.end(id, .failure(.noSession))
        case .dropped:
            queries.end(
                id, .failure(ZenohError(.congested, "the connection to the Zenoh router does not accept the query")))
        }
        return id
    }

    /// From a millisecond to a day.
    private static func milliseconds(_ timeout: Duration) -> UInt64 {
        let parts = min(max(timeout, .milliseconds(1)), .seconds(86_400)).components
        return UInt64(clamping: parts.seconds) * 1000 + UInt64(clamping: parts.attoseconds / 1_000_000_000_000_000)
    }

    /// The liveliness tokens that exist now; our own are among them.
    ///
    /// - Throws: ``ZenohError``, also when there is no session now.
    public func tokens(matching key: String, timeout: Duration) async throws(ZenohError) -> [String] {
        try KeyExpression.check(key)
        let answer = Answer<[String]>()
        let id = takeID()
        let deadline = ContinuousClock.now + timeout
        let submitted = loop.submit { core in
            guard let client = core.attachment as? ClientCore else { return answer.settle(.failure(.clientShutDown)) }
            client.askTokens(id: id, key: key, until: deadline, on: core) { answer.settle($0) }
        }
        guard submitted else { throw ZenohError.clientShutDown }
        return try await answer.value()
    }
}

/// The number of a query once it has one.
private final class AskedQuery: Sendable {
    private let number = Mutex<UInt32?>(nil)
    var id: UInt32? { number.withLock { $0 } }
    func note(_ id: UInt32) { number.withLock { $0 = id } }
}
