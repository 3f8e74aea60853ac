import IntegrationKit
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// Round trips out of turn over real sockets.
@Suite("Round trips over sockets", .timeLimit(.minutes(MachinePace.minutes(1)))) struct RoundTripLoopbackTests {
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
            try await link.connect(within: .patient(seconds: 5))
            let own = try await link.onLinkThread { () async throws(LinkError) in
                var times: [Duration] = []
                for _ in 0..<100 { times.append(try await link.roundTrip(within: .patient(seconds: 5))) }
                return times
            }
            #expect(own.allSatisfy { $0 > .zero })
            let many = try await withThrowingTaskGroup(of: Duration.self) { group in
                for _ in 0..<50 { group.addTask { try await link.roundTrip(within: .patient(seconds: 5)) } }
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
            try await link.connect(within: .patient(seconds: 5))
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
