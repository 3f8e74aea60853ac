#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import ChannelTestKit
import IntegrationKit
import Synchronization
import SystemIO
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// A ground steers while its kernel reports that nobody listens at the companion's port: a hint that anybody can forge, and no reason
/// to hold a setpoint back.
@Suite("Steering that is refused", .serialized, .timeLimit(.minutes(MachinePace.minutes(1))))
struct RefusedSteeringLoopbackTests {
    private let handler = RecordingHandler()
    private let clock = SystemMonotonicClock()

    /// Which session and which socket a link has.
    private struct Place: Equatable {
        var session: Int
        var openedAt: MonotonicTime
        var port: UInt16
    }

    private func place(of link: SocketLink) throws -> Place {
        let place = link.core.state.withLock { state in
            state.phase.connection.map {
                Place(session: $0.number, openedAt: $0.carrier.openedAt, port: $0.carrier.handle?.localPort ?? 0)
            }
        }
        return try #require(place)
    }

    private func lastError(of link: SocketLink) -> Int32 {
        link.core.state.withLock { $0.phase.connection?.carrier.lastError ?? 0 }
    }

    private func serve() throws -> ChannelServer {
        try ChannelServer(configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
    }

    /// Steers, and says whether the setpoint was sent at once.
    private func isSent(_ x: Int, over link: SocketLink) -> Bool {
        let setpoint = Samples.setpoint(x: Double(x), at: clock.now, validFor: VelocitySetpoint.longestValidity)
        return (try? link.steer(setpoint).sentAt) != nil
    }

    #if os(Linux)
        @Test(.enabled(if: RefusalForger.isAllowed, "forging ICMP needs the right to raw sockets"))
        func `forged refusals hold no setpoint back and end no session`() async throws {
            let server = try serve()
            let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in
                try server.issueTicket()
            }
            try await link.connect(within: .patient(seconds: 5))
            let (watch, begin) = (SchedulingWatch(), SchedulingWatch.now)
            let before = try place(of: link)
            let forger = try RefusalForger(ground: before.port, companion: server.udpPort)
            var heldBack: [Int] = []
            for number in 1...50 {
                // Reported in place of sending, and while nothing is sent.
                try forger.forge()
                if !isSent(number, over: link) { heldBack.append(number) }
                try forger.forge()
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(lastError(of: link) == ECONNREFUSED, "no refusal was reported")
            #expect(heldBack.isEmpty)
            #expect(try place(of: link) == before)
            // What lay in a machine that stood still is too old, and counted.
            #expect(
                await eventually { UInt64(handler.setpoints.count) + (link.quality.setpointsExpired ?? 0) >= 50 })
            let seen = handler.setpoints.map(\.velocityMetresPerSecond.x)
            #expect(seen == seen.sorted())
            #expect(handler.record.withLock { $0.opened.count } == 1)
            if !handler.record.withLock({ $0.lost.isEmpty }) {
                watch.settle()
                let now = SchedulingWatch.now
                #expect(watch.longestWait(from: begin, to: now) > 500_000_000, "\(watch.account(from: begin, to: now))")
            }
            await link.close()
            await server.stop()
        }
    #endif

    @Test func `a port that is closed for a moment holds no setpoint back and ends no session`() async throws {
        let server = try serve()
        let relay = try ChildProcess(["/usr/bin/python3", "-c", Self.relay, "\(server.udpPort)"])
        let said = try await relay.line(containing: "port ")
        let port = try #require(UInt16(said.dropFirst(5)))
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in
            let ticket = try server.issueTicket()
            return ChannelTicket(session: ticket.session, key: ticket.key, udpPort: port, tcpPort: 0, vehicle: "uav1")
        }
        try await link.connect(within: .patient(seconds: 5))
        _ = try await link.steer(x: 1, untilItReaches: handler)
        let before = try place(of: link)

        let closedAt = ContinuousClock.now
        relay.send(line: "close")
        try await relay.line(containing: "closed")
        var heldBack: [Int] = []
        for number in 2...6 {
            if !isSent(number, over: link) { heldBack.append(number) }
            try await Task.sleep(for: .milliseconds(20))
        }
        relay.send(line: "open")
        try await relay.line(containing: "opened")
        let time = ContinuousClock.now - closedAt
        #expect(lastError(of: link) == ECONNREFUSED, "no refusal was reported")
        if time < .milliseconds(700) {
            #expect(heldBack.isEmpty)
            _ = try await link.steer(x: 7, untilItReaches: handler)
            #expect(try place(of: link) == before)
        } else {
            print("refused steering: NOT JUDGED on this machine: the port was closed for \(time)")
        }
        #expect(handler.record.withLock { $0.opened.count } == 1)
        await link.close()
        await relay.stop()
        await server.stop()
    }

    /// Hands datagrams on, and on demand closes its port to the ground and opens it again.
    private static let relay = #"""
        import random, select, socket, sys
        def listen(port):
            one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            one.bind(('127.0.0.1', port))
            return one
        # None that the system gives to others meanwhile.
        for _ in range(100):
            try:
                front = listen(random.randrange(15000, 32000))
                break
            except OSError:
                pass
        port, ground = front.getsockname()[1], None
        back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        back.connect(('127.0.0.1', int(sys.argv[1])))
        print('port %d' % port, flush=True)
        while True:
            ready = select.select([back, sys.stdin] + ([front] if front else []), [], [])[0]
            if front in ready:
                data, ground = front.recvfrom(2048)
                back.send(data)
            if back in ready:
                data = back.recv(2048)
                if front and ground: front.sendto(data, ground)
            if sys.stdin in ready:
                order = sys.stdin.readline().strip()
                if order == 'close':
                    front.close()
                    front = None
                    print('closed', flush=True)
                elif order == 'open':
                    front = listen(port)
                    print('opened', flush=True)
                else:
                    break
        """#
}
