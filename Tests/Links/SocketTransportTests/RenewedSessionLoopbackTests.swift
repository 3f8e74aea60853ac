import ChannelTestKit
import Impairment
import IntegrationKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol
@testable import SocketTransport

/// Sessions that are replaced.
extension BadDayLoopbackTests {
    @Test func `the session that is left is notified`() async throws {
        let handler = RecordingHandler()
        let server = try serve(handler)
        let relay = try #require(ImpairedRelay(.udp, to: server.udpPort))
        let link = try link(server, .udp, through: relay)
        try await link.connect(within: .patient(seconds: 5))
        // The companion hears the ground, which hears nothing.
        relay.impair(up: .none, down: Impairment(loss: 1))
        #expect(await eventually(within: .seconds(30)) { handler.record.withLock { $0.closed.count } == 1 })
        relay.impair(up: .none, down: .none)
        #expect(await eventually(within: .seconds(30)) { link.quality.isConnected })
        await link.close()
        await server.stop()
    }

    @Test func `a session is renewed as it was made, in the same time`() async throws {
        let server = try serve(RecordingHandler())
        let relay = try #require(ImpairedRelay(.udp, to: server.udpPort))
        let times = Mutex<[Duration]>([])
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { timeout throws(LinkError) in
            times.withLock { $0.append(timeout) }
            let ticket = try server.issueTicket()
            return ChannelTicket(
                session: ticket.session, key: ticket.key, udpPort: relay.port, tcpPort: 0, vehicle: "uav1")
        }
        let patience = Duration.patient(seconds: 33)
        try await link.connect(within: patience)
        relay.setDark(true)
        #expect(await eventually(within: .seconds(30)) { times.withLock { $0.count } > 1 })
        #expect(times.withLock { $0 }.allSatisfy { $0 == patience }, "\(times.withLock { $0 })")
        await link.close()
        await server.stop()
    }

    @Test func `a companion that forgot the session is asked for a fresh ticket`() async throws {
        let first = try serve(RecordingHandler())
        let second = try serve(RecordingHandler())
        let relay = try #require(ImpairedRelay(.udp, to: first.udpPort))
        let asked = Mutex(0)
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            guard count == 1 else { return try second.issueTicket() }
            let ticket = try first.issueTicket()
            return ChannelTicket(
                session: ticket.session, key: ticket.key, udpPort: relay.port, tcpPort: 0, vehicle: "uav1")
        }
        try await link.connect(within: .patient(seconds: 5))
        func steer() throws -> [Int] {
            let receipt = try link.steer(Samples.setpoint(x: 0, at: SystemMonotonicClock().now))
            return [receipt.session, Int(receipt.number)]
        }
        #expect(try [steer(), steer()] == [[1, 1], [1, 2]])
        // It is gone without a goodbye, as after a crash.
        relay.setDark(true)
        #expect(
            await eventually(within: .seconds(20)) { second.counters.openSessions == 1 && link.quality.isConnected })
        #expect(try await link.perform(.hover, within: .patient(seconds: 3)).accepted)
        #expect(try steer() == [2, 1], "each session counts from 1")
        await link.close()
        await first.stop()
        await second.stop()
    }

    @Test func `a companion that stops with a goodbye and starts again is asked for a fresh ticket`() async throws {
        let first = try serve(RecordingHandler())
        let second = try serve(RecordingHandler())
        let asked = Mutex(0)
        // The link stays without a session until the test has seen it so.
        let (tickets, ticketIsReady) = AsyncStream<Void>.makeStream()
        let link = try SocketLink(host: "127.0.0.1", carrier: .tcp) { _ throws(LinkError) in
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            if count > 1 { for await _ in tickets {} }
            return try (count == 1 ? first : second).issueTicket()
        }
        try await link.connect(within: .patient(seconds: 5))
        await first.stop()
        #expect(await eventually { !link.quality.isConnected })
        let refused = await #expect(throws: LinkError.self) { try await link.perform(.hover, within: .seconds(1)) }
        #expect(refused?.code == .notConnected)
        ticketIsReady.finish()
        #expect(await eventually(within: .seconds(20)) { second.counters.openSessions == 1 })
        #expect(await eventually { link.quality.isConnected })
        #expect(try await link.perform(.hover, within: .patient(seconds: 3)).accepted)
        await link.close()
        await second.stop()
    }
}
