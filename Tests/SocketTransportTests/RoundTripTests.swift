import Impairment
import Testing
import UAVLink
import UAVTestKit

@testable import SocketTransport

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

    @Test func `who does not wait is told nothing, and before the channel is open there is none`() throws {
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

    private func served(
        _ carrier: SocketLink.Carrier, _ body: (SocketLink, ChannelServer) async throws -> Void
    ) async throws {
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: RecordingHandler())
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in try server.issueTicket()
        }
        try await body(link, server)
        await link.close()
        await server.stop()
    }

    @Test(arguments: LoopbackTests.carriers)
    func `over sockets, from any thread and many at a time`(_ carrier: SocketLink.Carrier) async throws {
        try await served(carrier) { link, _ in
            try await link.connect(within: .seconds(5))
            let own = try await link.onOwnThread { () async throws(LinkError) in
                var times: [Duration] = []
                for _ in 0..<100 { times.append(try await link.roundTrip(within: .seconds(5))) }
                return times
            }
            #expect(own.allSatisfy { $0 > .zero })
            let many = try await withThrowingTaskGroup(of: Duration.self) { group in
                for _ in 0..<50 { group.addTask { try await link.roundTrip(within: .seconds(5)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(many.count == 50)
            #expect(link.drops.total == 0)
        }
    }

    @Test(arguments: LoopbackTests.carriers)
    func `a round trip ends with its time, its task and its link`(_ carrier: SocketLink.Carrier) async throws {
        try await served(carrier) { link, server in
            await #expect(throws: LinkError.self) { try await link.roundTrip(within: .seconds(1)) }
            try await link.connect(within: .seconds(5))
            await #expect(throws: LinkError.self) { try await link.roundTrip(within: .zero) }
            await server.stop()
            let late = await #expect(throws: LinkError.self) { try await link.roundTrip(within: .milliseconds(30)) }
            #expect(late?.code == .timedOut || late?.code == .notConnected)
            let cancelled = Task { try await link.roundTrip(within: .seconds(60)) }
            cancelled.cancel()
            await #expect(throws: LinkError.self) { try await cancelled.value }
            let waiting = Task { try await link.roundTrip(within: .seconds(60)) }
            await link.close()
            await #expect(throws: LinkError.self) { try await waiting.value }
        }
    }
}
