internal import Synchronization
internal import SystemIO

/// Our queries that wait for answers.
final class QueryTable: Sendable {
    typealias Completion = @Sendable (Result<[ZenohReply], ZenohError>) -> Void

    private struct Pending {
        let deadline: ContinuousClock.Instant
        let replyLimit: Int
        let completion: Completion
        var replies: [ZenohReply] = []
        var bytes = 0
    }

    private struct State {
        var pending: [UInt32: Pending] = [:]
        var newest: UInt32 = 0
        var isClosed = false
    }

    /// The most queries that wait at once.
    private static let maximumPending = 4096
    /// The most replies to one query.
    private static let maximumReplies = 65_536

    private let state = Mutex(State())
    private let maximumBytes: Int

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    // MARK: Any thread

    /// Takes a query that is about to be sent and gives it a number.
    func add(
        until deadline: ContinuousClock.Instant, replyLimit: Int, _ completion: @escaping Completion
    ) throws(ZenohError) -> UInt32 {
        try state.withLock { state throws(ZenohError) in
            guard !state.isClosed else { throw ZenohError.clientShutDown }
            guard state.pending.count < Self.maximumPending else {
                throw ZenohError(.congested, "\(Self.maximumPending) queries wait for answers already")
            }
            repeat { state.newest &+= 1 } while state.pending[state.newest] != nil
            state.pending[state.newest] = Pending(
                deadline: deadline, replyLimit: min(max(1, replyLimit), Self.maximumReplies), completion: completion)
            return state.newest
        }
    }

    /// Ends a query without an answer.
    func end(_ id: UInt32, _ result: Result<[ZenohReply], ZenohError>) {
        state.withLock { $0.pending.removeValue(forKey: id) }?.completion(result)
    }

    // MARK: The I/O thread

    /// When ``expire(_:)`` is due.
    var nextExpiry: ContinuousClock.Instant? {
        state.withLock { state in
            var next: ContinuousClock.Instant?
            for query in state.pending.values { next = min(next ?? query.deadline, query.deadline) }
            return next
        }
    }

    /// What a router says for the queryables when the time that the query gave it is over, which may reach us before our
    /// own deadline is looked at.
    private static let routersTimeout = Array("Timeout".utf8)

    /// Takes a reply; those to unknown queries came too late.
    func take(_ reply: ZenohReply, bytes: Int, for id: UInt32) {
        if case .failure(let text) = reply, text == Self.routersTimeout { return end(id, .failure(.unanswered)) }
        let done = state.withLock { state -> (Completion, Result<[ZenohReply], ZenohError>)? in
            guard var query = state.pending.removeValue(forKey: id) else { return nil }
            query.bytes += bytes
            guard query.bytes <= maximumBytes else {
                return (
                    query.completion,
                    .failure(ZenohError(.tooLarge, "the replies to a query have more than \(maximumBytes) bytes"))
                )
            }
            query.replies.append(reply)
            guard query.replies.count < query.replyLimit else { return (query.completion, .success(query.replies)) }
            state.pending[id] = query
            return nil
        }
        if let (completion, result) = done { completion(result) }
    }

    /// No more replies follow.
    func finish(_ id: UInt32) {
        let query = state.withLock { $0.pending.removeValue(forKey: id) }
        if let query { query.completion(.success(query.replies)) }
    }

    /// Fails the queries whose deadline has passed.
    func expire(_ now: ContinuousClock.Instant) {
        let expired = state.withLock { state in
            let expired = state.pending.filter { $0.value.deadline <= now }
            for id in expired.keys { state.pending[id] = nil }
            return expired.values.map(\.completion)
        }
        for completion in expired { completion(.failure(.unanswered)) }
    }

    /// Fails all queries; with `closing` those to come too.
    func failAll(_ error: ZenohError, closing: Bool = false) {
        let failed = state.withLock { state in
            if closing { state.isClosed = true }
            defer { state.pending = [:] }
            return state.pending.values.map(\.completion)
        }
        for completion in failed { completion(.failure(error)) }
    }
}

extension ZenohError {
    fileprivate static let unanswered = ZenohError(.timedOut, "the query was not answered in time")
}

/// Ends queries on the I/O thread when their deadlines have passed.
final class QueryExpiry: LoopHandler {
    private let queries: QueryTable
    let descriptor: Int32 = -1
    var owner: AnyObject? { nil }
    let interest: Readiness = []
    private(set) var isFinished = false

    init(_ queries: QueryTable) { self.queries = queries }

    var deadline: ContinuousClock.Instant? { queries.nextExpiry }

    func ready(_ readiness: Readiness, on loop: LoopCore) {}

    func deadlinePassed(on loop: LoopCore) { queries.expire(.now) }

    func loopWillStop(on loop: LoopCore) {
        isFinished = true
        queries.failAll(.clientShutDown, closing: true)
    }
}
