import IntegrationKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol
@testable import SocketTransport

/// Who gets a ticket when all places are taken, on a clock that only the test moves.
@Suite("Admission", .timeLimit(.minutes(MachinePace.minutes(1)))) struct AdmissionLoopbackTests {
    private let clock = FakeClock()
    private let handler = RecordingHandler()

    private func serve() throws -> ChannelServer {
        try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1", maximumSessions: 2), handler: handler,
            clock: clock)
    }

    private func open(_ server: ChannelServer) async throws -> (ground: BareGround, socket: BareSocket) {
        let ground = try BareGround(server.issueTicket())
        let socket = try BareSocket(stream: false)
        try socket.connect(to: server.udpPort)
        #expect(await socket.send(ground.hello))
        #expect(await eventually { handler.record.withLock { $0.opened.contains(ground.ticket.session) } })
        return (ground, socket)
    }

    @Test func `a fresh ticket takes the place of who was silent longest`() async throws {
        let server = try serve()
        let first = try await open(server)
        clock.advance(by: .milliseconds(600))
        let second = try await open(server)
        clock.advance(by: .milliseconds(600))
        _ = try server.issueTicket()
        #expect(await eventually { handler.record.withLock { $0.closed } == [first.ground.ticket.session] })
        clock.advance(by: .seconds(1))
        _ = try await open(server)
        #expect(
            await eventually {
                handler.record.withLock { $0.closed } == [first.ground.ticket.session, second.ground.ticket.session]
            })
        await server.stop()
    }

    @Test func `of two that may be replaced, it is the one that was silent longest`() async throws {
        let server = try serve()
        let first = try await open(server)
        clock.advance(by: .milliseconds(600))
        let second = try await open(server)
        clock.advance(by: .seconds(5))
        _ = try server.issueTicket()
        #expect(await eventually { handler.record.withLock { $0.closed } == [first.ground.ticket.session] })
        _ = try server.issueTicket()
        #expect(
            await eventually {
                handler.record.withLock { $0.closed } == [first.ground.ticket.session, second.ground.ticket.session]
            })
        await server.stop()
    }

    @Test func `who is heard keeps the place`() async throws {
        let server = try serve()
        let grounds = [try await open(server), try await open(server)]
        clock.advance(by: .seconds(30))
        server.wake()
        for (ground, socket) in grounds {
            #expect(await eventually { handler.record.withLock { $0.lost.contains(ground.ticket.session) } })
            #expect(await socket.send(ground.heartbeat))
            // The wake-up is the test's: this clock's time does not pass by itself.
            #expect(
                await eventually {
                    server.wake()
                    return handler.record.withLock { $0.restored.contains(ground.ticket.session) }
                })
        }
        clock.advance(by: .milliseconds(900))
        let error = #expect(throws: LinkError.self) { try server.issueTicket() }
        #expect(error?.code == .companionUnavailable)
        #expect(handler.record.withLock { $0.closed.isEmpty })
        await server.stop()
    }

    @Test func `an unused ticket keeps its place for as long as a slow log-in takes, and the oldest goes first`()
        async throws
    {
        let server = try serve()
        let oldest = try server.issueTicket()
        clock.advance(by: .seconds(5))
        let second = try server.issueTicket()
        clock.advance(by: .seconds(14))
        #expect(throws: LinkError.self) { try server.issueTicket() }
        clock.advance(by: .seconds(2))
        let fresh = try server.issueTicket()
        // The oldest is void now, the others are not; it was none of the sessions that the handler knows.
        let socket = try BareSocket(stream: false)
        try socket.connect(to: server.udpPort)
        for ticket in [oldest, second, fresh] { #expect(await socket.send(try BareGround(ticket).hello)) }
        #expect(await eventually { handler.record.withLock { $0.opened } == [second.session, fresh.session] })
        #expect(handler.record.withLock { $0.closed.isEmpty })
        await server.stop()
    }
}
