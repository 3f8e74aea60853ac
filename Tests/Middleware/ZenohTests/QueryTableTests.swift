import Synchronization
import Testing

@testable import Zenoh

/// How queries end.
struct QueryTableTests {
    /// A router counts the same time as we do, and its word may come first.
    @Test func `a router's word that the time is over is a timeout, not an answer`() throws {
        #expect(try outcome(of: "Timeout") == .failed(.timedOut))
    }

    @Test func `what a queryable says instead of a value is an answer`() throws {
        #expect(try outcome(of: "Timeout of the sensor") == .replies(1))
    }

    private enum Outcome: Equatable { case failed(ZenohError.Code), replies(Int), none }

    private func outcome(of reply: String) throws -> Outcome {
        let outcomes = Mutex<[Outcome]>([])
        let queries = QueryTable(maximumBytes: 1000)
        let id = try queries.add(until: .now + .seconds(3600), replyLimit: 5) { result in
            switch result {
            case .success(let replies): outcomes.withLock { $0.append(.replies(replies.count)) }
            case .failure(let error): outcomes.withLock { $0.append(.failed(error.code)) }
            }
        }
        queries.take(.failure(Array(reply.utf8)), bytes: reply.utf8.count, for: id)
        queries.finish(id)
        let all = outcomes.withLock { $0 }
        #expect(all.count == 1)
        return all.first ?? .none
    }
}
