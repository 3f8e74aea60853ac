import Synchronization
import Testing

@testable import SystemIO

/// A result that one task waits for.
@Suite struct LoopAnswerTests {
    private enum Failure: Error { case cancelled, refused }

    @Test func `the first result counts, whether it comes before or after the wait begins`() async throws {
        let early = LoopAnswer<Int, Failure>()
        early.settle(.success(1))
        early.settle(.failure(.refused))
        #expect(try await early.value(cancelled: .cancelled) == 1)

        let late = LoopAnswer<Int, Failure>()
        let waiting = Task { try await late.value(cancelled: .cancelled) }
        late.settle(.failure(.refused))
        late.settle(.success(2))
        await #expect(throws: Failure.refused) { try await waiting.value }
    }

    @Test func `a cancelled caller gets its error, and what it waited for is told`() async {
        let told = Atomic<Int>(0)
        let answer = LoopAnswer<Int, Failure>(onCancel: { told.add(1, ordering: .relaxed) })
        let waiting = Task {
            // Cancelled before it begins to wait: the wait ends at once.
            withUnsafeCurrentTask { $0?.cancel() }
            return try await answer.value(cancelled: .cancelled)
        }
        await #expect(throws: Failure.cancelled) { try await waiting.value }
        #expect(told.load(ordering: .relaxed) == 1)
        // What comes now is for nobody.
        answer.settle(.success(3))
    }
}
