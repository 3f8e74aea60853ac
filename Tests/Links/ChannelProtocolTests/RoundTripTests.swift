import Impairment
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

@Suite("Round trips out of turn", .timeLimit(.minutes(1)))
struct RoundTripTests {
    @Test func `a heartbeat goes out at once and its answer comes a round trip later`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(7)))
        ends.open()
        // In the middle between two heartbeats in turn.
        ends.run(for: .milliseconds(50))
        let began = ends.now
        try ends.ground.ping(now: began)
        ends.run(for: .milliseconds(20))
        let echo = try #require(ends.echoes.first)
        #expect(echo.sent == began)
        #expect(echo.at - began == .milliseconds(14))
    }

    @Test func `a lost heartbeat is followed by the next in turn`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(2)))
        ends.open()
        let began = ends.now
        ends.network.isDark = true
        try ends.ground.ping(now: began)
        ends.flush()
        ends.network.isDark = false
        ends.run(for: .milliseconds(150))
        let echo = try #require(ends.echoes.first)
        #expect(echo.sent > began)
        #expect(echo.at - began == ChannelTimes.heartbeat + .milliseconds(4))
    }

    @Test func `a caller that does not wait gets nothing, and before the channel is open there is none`() throws {
        let ends = try TwoEnds()
        #expect(throws: LinkError.self) { try ends.ground.ping(now: ends.now) }
        ends.open()
        ends.run(for: .seconds(1))
        #expect(ends.echoes.isEmpty)
    }

    @Test func `every heartbeat is answered though many come together`() throws {
        let ends = try TwoEnds()
        ends.open()
        for _ in 0..<5 {
            ends.now = ends.now + .microseconds(10)
            try ends.ground.ping(now: ends.now)
            ends.flush()
        }
        ends.run(for: .milliseconds(2))
        #expect(ends.echoes.last?.sent == ends.now - .milliseconds(2))
    }
}
