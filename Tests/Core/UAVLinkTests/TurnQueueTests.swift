import Testing
import UAVLink
import UAVTestKit

@Suite struct TurnQueueTests {
    @Test func `one waits for the other and a deadline or cancellation ends the wait`() async throws {
        let clock = FakeClock()
        let turns = TurnQueue(clock: clock)
        @Sendable func enter(within time: Duration) async throws {
            try await turns.enter(by: clock.now + time)
        }
        try await enter(within: .seconds(1))
        let begun = clock.now
        await #expect(throws: LinkError.self) {
            try await clock.run(through: { try await enter(within: .milliseconds(20)) })
        }
        #expect(clock.now - begun == .milliseconds(20))
        let waiting = Task { try await enter(within: .seconds(60)) }
        waiting.cancel()
        await #expect(throws: LinkError.self) { try await waiting.value }
        let next = Task { try await enter(within: .seconds(60)) }
        await settle()
        turns.pass()
        try await next.value
        turns.pass()
        try await enter(within: .seconds(1))
    }
}
