#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import IntegrationKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol
@testable import SocketTransport

/// Which TCP connections the companion has and keeps.
@Suite("Connections of the companion", .serialized, .timeLimit(.minutes(MachinePace.minutes(1))))
struct ConnectionLoopbackTests {
    private let handler = RecordingHandler()

    private func serve(clock: any MonotonicClock = SystemMonotonicClock()) throws -> ChannelServer {
        try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler, clock: clock)
    }

    /// - Parameter meanwhile: done again and again until the answer is there.
    private func open(
        _ ground: BareGround, to port: UInt16, meanwhile: () -> Void = {}
    ) async throws -> BareSocket {
        let socket = try BareSocket(stream: true)
        try socket.connect(to: port)
        #expect(await socket.send(ground.hello))
        #expect(
            await eventually {
                meanwhile()
                return socket.hasAnswer
            })
        return socket
    }

    /// Each time from a socket of its own: the ground whose address changed cannot close the old one.
    @Test func `a ground that goes to another connection leaves none behind`() async throws {
        let server = try serve()
        let ground = try BareGround(server.issueTicket())
        var present = try await open(ground, to: server.tcpPort)
        for _ in 0..<150 {
            let next = try BareSocket(stream: true)
            try next.connect(to: server.tcpPort)
            #expect(await next.send(ground.heartbeat))
            let isClosed = await eventually { present.isClosedByPeer }
            try #require(isClosed)
            present = next
        }
        #expect(!present.isClosedByPeer)
        await server.stop()
    }

    @Test func `a ground that goes to UDP leaves no connection behind`() async throws {
        let server = try serve()
        let ground = try BareGround(server.issueTicket())
        let stream = try await open(ground, to: server.tcpPort)
        let datagrams = try BareSocket(stream: false)
        try datagrams.connect(to: server.udpPort)
        #expect(await datagrams.send(ground.heartbeat))
        #expect(await eventually { datagrams.hasAnswer })
        #expect(await eventually { stream.isClosedByPeer })
        await server.stop()
    }

    /// On a clock that only this test moves: none of the strangers' time is ever up.
    @Test(arguments: ["127.0.0.1", "127.0.0.9"])
    func `strangers who stay do not shut out who has a ticket`(host: String) async throws {
        let clock = FakeClock()
        let server = try serve(clock: clock)
        let ground = try BareGround(server.issueTicket())
        var strangers: [BareSocket] = []
        for _ in 0..<200 {
            let stranger = try BareSocket(stream: true)
            try stranger.connect(to: server.tcpPort, from: host)
            strangers.append(stranger)
            clock.advance(by: .milliseconds(10))
        }
        // A server that has taken in as many as it may takes in further ones as time passes.
        let letPass: () -> Void = {
            clock.advance(by: .milliseconds(2))
            server.wake()
        }
        let socket = try await open(ground, to: server.tcpPort, meanwhile: letPass)
        #expect(handler.record.withLock { $0.opened } == [ground.ticket.session])
        // Nor do those who come afterwards put it out.
        for _ in 0..<100 {
            let stranger = try BareSocket(stream: true)
            try stranger.connect(to: server.tcpPort, from: host)
            strangers.append(stranger)
            clock.advance(by: .milliseconds(10))
        }
        #expect(
            await eventually {
                letPass()
                return strangers.count(where: { !$0.isClosedByPeer }) <= ServerConnections.maximumUnauthenticated
            })
        #expect(!socket.isClosedByPeer)
        await server.stop()
    }

    #if os(Linux)
        @Test func `a server without free descriptors waits for some, and does not spin`() async throws {
            let server = try serve()
            let ground = try BareGround(server.issueTicket())
            let socket = try BareSocket(stream: true)
            try DescriptorLimit.lowered {
                try socket.connect(to: server.tcpPort)
                let (before, begun) = (handler.record.withLock { $0.ticks }, ContinuousClock.now)
                // Long enough for a thread that spins to go round thousands of times.
                usleep(300_000)
                let turns = handler.record.withLock { $0.ticks } - before
                // This thread may have been woken late.
                let most = 100.0 * ((ContinuousClock.now - begun) / Duration.milliseconds(300))
                #expect(Double(turns) < most, "\(turns) turns")
            }
            // No session is lost by it.
            #expect(await socket.send(ground.hello))
            #expect(await eventually { socket.hasAnswer })
            await server.stop()
        }

        @Test func `the kernel notices a ground that is gone without a word`() async throws {
            let server = try serve()
            let ground = try BareGround(server.issueTicket())
            let socket = try await open(ground, to: server.tcpPort)
            let accepted = try #require(Self.connections(ofPort: server.tcpPort).first)
            #expect(Self.option(accepted, SOL_SOCKET, SO_KEEPALIVE) == 1)
            let limit = Int32(ChannelTimes.connectionLoss.inSeconds)
            let (protocolLevel, asked) = (Int32(IPPROTO_TCP), [TCP_KEEPINTVL, TCP_KEEPCNT])
            let last = asked.map { Self.option(accepted, protocolLevel, $0) }.reduce(1, *)
            #expect(Self.option(accepted, protocolLevel, TCP_KEEPIDLE) + last == limit)
            #expect(Self.option(accepted, protocolLevel, TCP_USER_TIMEOUT) == limit * 1000)
            withExtendedLifetime(socket) {}
            await server.stop()
        }

        /// The descriptors of this process that are connected from a local port.
        static func connections(ofPort port: UInt16) -> [Int32] {
            (0..<1024).filter { descriptor in
                var peer = SocketAddress()
                return SocketAddress.local(of: descriptor)?.port == port
                    && peer.withMutableSockaddr { getpeername(descriptor, $0, $1) } == 0
            }
        }

        private static func option(_ descriptor: Int32, _ level: Int32, _ name: Int32) -> Int32 {
            var value: Int32 = -1
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : -1
        }
    #endif
}
