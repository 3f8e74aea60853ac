import ChannelTestKit
import Dispatch
import IntegrationKit
import Synchronization
import Testing
import Threads
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// The way of a command through both ends' threads.
@Suite("Way of a command", .timeLimit(.minutes(MachinePace.minutes(1)))) struct CommandPathLoopbackTests {
    private func connect(
        _ handler: RecordingHandler, _ carrier: SocketLink.Carrier
    ) async throws -> (ChannelServer, SocketLink) {
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
            try server.issueTicket()
        }
        try await link.connect(within: .patient(seconds: 5))
        return (server, link)
    }

    @Test(arguments: LoopbackTests.carriers)
    func `the handler gets the deadline for beginning a command`(carrier: SocketLink.Carrier) async throws {
        let handler = RecordingHandler()
        let (server, link) = try await connect(handler, carrier)
        // What is in doubt about the clocks is half of the quickest round trip so far.
        #expect(await eventually { link.quality.clockOffsetBound.map { $0 < .milliseconds(500) } ?? false })
        let before = SystemMonotonicClock().now
        _ = try await link.perform(.land, within: .seconds(7))
        let after = SystemMonotonicClock().now
        let deadline = try #require(handler.record.withLock { $0.deadlines.first })
        // The two clocks are one here: the deadline is the caller's, less the doubt about the clocks.
        #expect(deadline <= after + .seconds(7))
        #expect(deadline > before + .seconds(6))
        await link.close()
        await server.stop()
    }

    @Test(arguments: LoopbackTests.carriers)
    func `what comes behind a command in one read does not overtake it`(carrier: SocketLink.Carrier) async throws {
        // The first setpoint holds the server's thread until the rest has piled up behind it.
        let gate = DispatchSemaphore(value: 0)
        let handler = RecordingHandler(firstSetpointWaitsFor: gate)
        let (server, link) = try await connect(handler, carrier)
        link.startTracing()
        let sent = Mutex(0)
        /// Whether that many commands have been sent.
        func isSent(_ count: Int) async -> Bool {
            await eventually {
                sent.withLock { $0 += link.takeTrace().flatMap(\.commands).count { $0.sealedAt != nil } }
                return sent.withLock { $0 } >= count
            }
        }
        func setpoint(_ x: Double) -> VelocitySetpoint {
            Samples.setpoint(x: x, at: SystemMonotonicClock().now, validFor: VelocitySetpoint.longestValidity)
        }
        _ = try await link.steer(x: 0, untilItReaches: handler)
        let expiredBefore = link.quality.setpointsExpired ?? 0
        let hover = Task { try await link.perform(.hover, within: .patient(seconds: 5)) }
        #expect(await isSent(1))
        try link.steer(setpoint(1))
        let land = Task { try await link.perform(.land, within: .patient(seconds: 5)) }
        #expect(await isSent(2))
        gate.signal()
        _ = try await hover.value
        _ = try await land.value
        // On a machine that stands still for half a second the setpoint is too old; then it is counted as that.
        let order = handler.record.withLock { $0.order }
        let isStale = !order.contains("steer 1.0")
        #expect(order == ["steer 0.0", "hover"] + (isStale ? [] : ["steer 1.0"]) + ["land"])
        if isStale { #expect(await eventually { link.quality.setpointsExpired == expiredBefore + 1 }) }
        await link.close()
        await server.stop()
    }

    @Test(arguments: LoopbackTests.carriers)
    func `answers that come at once on the server's own thread arrive`(carrier: SocketLink.Carrier) async throws {
        let handler = RecordingHandler(answersAtOnce: true)
        let (server, link) = try await connect(handler, carrier)
        for number in 0..<300 {
            let reply = try await link.perform(.altitude(metres: Double(number)), within: .patient(seconds: 5))
            #expect(reply.accepted)
        }
        #expect(handler.commands.count == 300)
        await link.close()
        await server.stop()
    }

    @Test(arguments: LoopbackTests.carriers)
    func `a body on the link's thread sees its answers there`(carrier: SocketLink.Carrier) async throws {
        let (server, link) = try await connect(RecordingHandler(), carrier)
        let threads = try await link.onLinkThread { () async throws(LinkError) -> [UInt] in
            var threads = [Self.thread()]
            for _ in 0..<50 {
                _ = try await link.perform(.land, within: .patient(seconds: 5))
                threads.append(Self.thread())
            }
            return threads
        }
        #expect(Set(threads).count == 1 && threads.first != Self.thread())
        let error = await #expect(throws: LinkError.self) {
            try await link.onLinkThread { () async throws(LinkError) in
                _ = try await link.perform(.altitude(metres: .nan), within: .seconds(1))
            }
        }
        #expect(error?.code == .invalidInput)
        await link.close()
        await server.stop()
    }

    @Test func `a body on the link's thread goes on elsewhere when the link is closed`() async throws {
        let (stream, gate) = AsyncStream<Void>.makeStream()
        let handler = RecordingHandler { _ in
            for await _ in stream {}
            return .success(CommandReply(accepted: true, message: ""))
        }
        let (server, link) = try await connect(handler, .udp)
        let waiting = Task {
            await link.onLinkThread { () async -> LinkError.Code? in
                do throws(LinkError) {
                    _ = try await link.perform(.land, within: .patient(seconds: 10))
                    return nil
                } catch { return error.code }
            }
        }
        #expect(await eventually { handler.commands.count == 1 })
        await link.close()
        #expect(await waiting.value == .closed)
        gate.finish()
        #expect(await link.onLinkThread { 7 } == 7)
        await server.stop()
    }

    /// The decoding is held up for as long as the test likes.
    private func withHeldDecoding(
        _ handler: RecordingHandler, _ carrier: SocketLink.Carrier,
        _ body: (SocketLink, DispatchSemaphore, _ decoded: () -> Int) async throws -> Void
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let decoding = Mutex(0)
        let mailbox = try ServerMailbox()
        let sockets = try ServerSockets(bindAddress: "127.0.0.1", udpPort: 0, tcpPort: 0)
        let clock = SystemMonotonicClock()
        let core = ServerCore(sockets: sockets, mailbox: mailbox, handler: handler, clock: clock) { transfer in
            decoding.withLock { $0 += 1 }
            gate.wait()
            return transfer.decoded()
        }
        #expect(
            DedicatedThread.start {
                core.run()
                mailbox.hasEnded()
            })
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
            let key = try SecretKey.random()
            let id = SessionID(SecureRandom.integer())
            try core.admit(NewSession(id: id, key: key, statePeriod: .milliseconds(20)), maximum: 1)
            return ChannelTicket(
                session: id, key: key, udpPort: sockets.udpPort, tcpPort: sockets.tcpPort, vehicle: "uav1")
        }
        try await link.connect(within: .patient(seconds: 5))
        try await body(link, gate) { decoding.withLock { $0 } }
        await link.close()
        await mailbox.stopAndWait()
    }

    @Test(arguments: LoopbackTests.carriers)
    func `a large command that is decoded delays no other`(carrier: SocketLink.Carrier) async throws {
        let handler = RecordingHandler()
        try await withHeldDecoding(handler, carrier) { link, gate, decoded in
            let trajectory = Samples.trajectory(points: 5000)
            let upload = Task { try await link.perform(.uploadTrajectory(trajectory), within: .patient(seconds: 20)) }
            #expect(await eventually { decoded() == 1 })
            _ = try await link.steer(x: 1, untilItReaches: handler)
            #expect(try await link.perform(.arm(true), within: .patient(seconds: 5)).accepted)
            #expect(handler.commands == [.arm(true)])
            gate.signal()
            #expect(try await upload.value.accepted)
            #expect(handler.commands == [.arm(true), .uploadTrajectory(trajectory)])
            #expect(decoded() == 1)
        }
    }

    /// Whoever arbitrates then refuses it if it is to be flown at once (`PendingCommandTests`).
    @Test(arguments: LoopbackTests.carriers)
    func `a trajectory is handed on as older than a stop that came during its transfer`(
        carrier: SocketLink.Carrier
    ) async throws {
        let handler = RecordingHandler()
        try await withHeldDecoding(handler, carrier) { link, gate, decoded in
            let trajectory = Samples.trajectory(points: 5000)
            let upload = Task { try await link.perform(.uploadTrajectory(trajectory), within: .patient(seconds: 20)) }
            #expect(await eventually { decoded() == 1 })
            #expect(try await link.perform(.hover, within: .patient(seconds: 5)).accepted)
            gate.signal()
            #expect(try await upload.value.accepted)
            #expect(handler.commands == [.hover, .uploadTrajectory(trajectory)])
            let issues = handler.record.withLock { $0.issues }
            try #require(issues.count == 2)
            #expect(issues[1].number < issues[0].number)
        }
    }

    private static func thread() -> UInt { DedicatedThread.current }
}
