import Testing
import UAVLink
import UAVTestKit

@Suite struct LateAnswerTests {
    private let left = LinkError(.cancelled, "left")

    @Test func `the first answer counts, whether it comes before or after the question`() async throws {
        let early = LateAnswer<Int>()
        early.give(.success(1))
        early.give(.success(2))
        #expect(try await early.value(left: left) == 1)
        let late = LateAnswer<Int>()
        let waiting = Task { [left] in try await late.value(left: left) }
        await settle()
        late.give(.success(3))
        late.give(.failure(left))
        #expect(try await waiting.value == 3)
    }

    @Test(arguments: [false, true])
    func `a caller who is cancelled leaves at once`(before: Bool) async {
        let answer = LateAnswer<Int>()
        let waiting = Task { [left] in try await answer.value(left: left) }
        if !before { await settle() }
        waiting.cancel()
        await #expect(throws: left) { try await waiting.value }
        answer.give(.success(1))
    }
}
