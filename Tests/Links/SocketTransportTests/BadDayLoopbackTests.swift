import ChannelTestKit
import Impairment
import IntegrationKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol
@testable import SocketTransport

/// Real sockets with a bad network between them.
@Suite("Channel on a bad day", .serialized, .timeLimit(.minutes(MachinePace.minutes(1)))) struct BadDayLoopbackTests {
    let clock = SystemMonotonicClock()

    func serve(_ handler: RecordingHandler) throws -> ChannelServer {
        try ChannelServer(configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
    }

    /// A link whose ticket leads through the relay.
    func link(
        _ server: ChannelServer, _ carrier: SocketLink.Carrier, through relay: ImpairedRelay
    ) throws -> SocketLink {
        try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
            let ticket = try server.issueTicket()
            return ChannelTicket(
                session: ticket.session, key: ticket.key, udpPort: relay.port, tcpPort: relay.port, vehicle: "uav1")
        }
    }

    @Test func `commands get through a fifth lost, doubled and out of order, once each`() async throws {
        let handler = RecordingHandler()
        let server = try serve(handler)
        let relay = try #require(ImpairedRelay(.udp, to: server.udpPort, seed: 7))
        relay.impair(up: .bad, down: .bad)
        let link = try link(server, .udp, through: relay)
        try await link.connect(within: .patient(seconds: 10))
        for number in 0..<20 {
            let reply = try await link.perform(.altitude(metres: Double(number)), within: .patient(seconds: 10))
            #expect(reply.accepted)
        }
        #expect(handler.commands == (0..<20).map { .altitude(metres: Double($0)) })
        await link.close()
        await server.stop()
    }

    @Test func `a ground whose port changes in flight is followed`() async throws {
        let (watch, begin) = (SchedulingWatch(), SchedulingWatch.now)
        let handler = RecordingHandler()
        let server = try serve(handler)
        server.publish(Samples.telemetry(at: clock.now))
        let relay = try #require(ImpairedRelay(.udp, to: server.udpPort))
        let link = try link(server, .udp, through: relay)
        try await link.connect(within: .patient(seconds: 5))
        for _ in 0..<3 {
            relay.roam()
            let before = try #require(await newTelemetry(of: link, after: clock.now))
            #expect(await newTelemetry(of: link, after: before) != nil)
            #expect(try await link.perform(.hover, within: .patient(seconds: 2)).accepted)
        }
        #expect(handler.record.withLock { $0.opened.count } == 1)
        // No end reported link loss, unless this process itself stood still for most of a second.
        if !handler.record.withLock({ $0.lost.isEmpty }) {
            watch.settle()
            let now = SchedulingWatch.now
            #expect(watch.longestWait(from: begin, to: now) > 500_000_000, "\(watch.account(from: begin, to: now))")
        }
        await link.close()
        await server.stop()
    }

    @Test(arguments: [SocketLink.Carrier.udp, .tcp])
    func `a link comes back by itself after a blackout, in the same session, and nothing moves by itself`(
        carrier: SocketLink.Carrier
    ) async throws {
        let handler = RecordingHandler()
        let server = try serve(handler)
        let relay = try #require(
            ImpairedRelay(
                carrier == .udp ? .udp : .tcp, to: carrier == .udp ? server.udpPort : server.tcpPort))
        let link = try link(server, carrier, through: relay)
        try await link.connect(within: .patient(seconds: 5))
        _ = try await link.steer(x: 1, untilItReaches: handler)
        relay.setDark(true)
        try link.steer(Samples.setpoint(at: clock.now))
        #expect(await eventually { !link.quality.isConnected })
        #expect(await eventually { handler.record.withLock { $0.lost.count } > 0 })
        #expect(throws: LinkError.self) { try link.steer(Samples.setpoint(at: clock.now)) }
        relay.setDark(false)
        #expect(await eventually { link.quality.isConnected })
        #expect(await eventually { handler.record.withLock { $0.restored.count == $0.lost.count } })
        #expect(try await link.perform(.hover, within: .patient(seconds: 3)).accepted)
        #expect(handler.setpoints.count == 1)
        #expect(handler.record.withLock { $0.opened.count } == 1)
        await link.close()
        await server.stop()
    }

    @Test func `a cut connection is made again and the command in flight is executed once`() async throws {
        let (stream, gate) = AsyncStream<Void>.makeStream()
        let handler = RecordingHandler {
            if $0 != .hover { for await _ in stream {} }
            return .success(CommandReply(accepted: true, message: "late"))
        }
        let server = try serve(handler)
        let relay = try #require(ImpairedRelay(.tcp, to: server.tcpPort))
        let link = try link(server, .tcp, through: relay)
        try await link.connect(within: .patient(seconds: 5))
        async let reply = link.perform(.takeoff, within: .patient(seconds: 8))
        #expect(await eventually { handler.commands.count == 1 })
        relay.cut()
        // What is asked for meanwhile goes over the new connection.
        #expect(await eventually { (try? await link.perform(.hover, within: .seconds(2)).accepted) == true })
        gate.finish()
        #expect(try await reply.message == "late")
        #expect(handler.commands.count { $0 == .takeoff } == 1)
        await link.close()
        await server.stop()
    }

    @Test func `a stalled stream queues no setpoints, and a stop goes first when it resumes`() async throws {
        let handler = RecordingHandler()
        let server = try serve(handler)
        let relay = try #require(ImpairedRelay(.tcp, to: server.tcpPort))
        let link = try link(server, .tcp, through: relay)
        try await link.connect(within: .patient(seconds: 5))
        relay.pauseReading(true)
        // Six seconds' worth of a joystick within half of the second before the link counts as silent, however seldom this task
        // gets to run: it catches up each time.
        let (held, period) = (1200, Duration.milliseconds(500))
        let begun = clock.now
        var number = 0
        while number < held {
            let due = min(held, Int((clock.now - begun) / period * Double(held)) + 5)
            while number < due {
                number += 1
                try link.steer(Samples.setpoint(x: Double(number), at: clock.now))
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        // It has to be asked for before the stream flows again.
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let stop = Task {
            begin.finish()
            return try await link.perform(.hover, within: .patient(seconds: 5))
        }
        for await _ in begins {}
        try await Task.sleep(for: .milliseconds(20))
        relay.pauseReading(false)
        #expect(try await stop.value.accepted)
        let sent = link.quality.setpointsSent
        // The kernel's few kilobytes, not thousands.
        #expect(sent < 400, "\(sent) of \(held)")
        // Whatever came out of the pipe after the stall was too old, or went with the connection if that was renewed;
        // the newest had been dropped for the stop.
        let seen = handler.setpoints.map(\.velocityMetresPerSecond.x)
        #expect(!seen.contains(Double(held)))
        #expect(seen.count < 50, "\(seen.prefix(3)) ... \(seen.suffix(3)) of \(sent) sent, \(held) held")
        await link.close()
        await server.stop()
    }

    @Test(arguments: [SocketLink.Carrier.udp, .tcp])
    func `a channel opens and answers over a round trip of more than a second`(carrier: SocketLink.Carrier) async throws
    {
        let handler = RecordingHandler()
        let server = try serve(handler)
        let relay = try #require(
            ImpairedRelay(
                carrier == .udp ? .udp : .tcp, to: carrier == .udp ? server.udpPort : server.tcpPort))
        // Half a second more than a socket may be silent on a quicker link.
        let way = Impairment(delay: .milliseconds(750))
        relay.impair(up: way, down: way)
        let link = try link(server, carrier, through: relay)
        try await link.connect(within: .patient(seconds: 15))
        #expect(try await link.perform(.hover, within: .patient(seconds: 10)).accepted)
        #expect(handler.commands == [.hover])
        await link.close()
        await server.stop()
    }

    /// A link whose session stops sending asks for a ticket, which it gets when the test says so.
    @Test func `a session that is heard again is kept, and its commands are answered`() async throws {
        let (work, done) = AsyncStream<Void>.makeStream()
        let (tickets, ticketIsReady) = AsyncStream<Void>.makeStream()
        let handler = RecordingHandler {
            if $0 != .hover { for await _ in work {} }
            return .success(CommandReply(accepted: true, message: "late"))
        }
        let server = try serve(handler)
        let relay = try #require(ImpairedRelay(.udp, to: server.udpPort))
        let asked = Mutex(0)
        let given = Mutex(0)
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            if count > 1 { for await _ in tickets {} }
            defer { given.withLock { $0 += 1 } }
            let ticket = try server.issueTicket()
            return ChannelTicket(
                session: ticket.session, key: ticket.key, udpPort: relay.port, tcpPort: 0, vehicle: "uav1")
        }
        try await link.connect(within: .patient(seconds: 5))
        async let reply = link.perform(.takeoff, within: .patient(seconds: 60))
        #expect(await eventually { handler.commands.count == 1 })
        relay.setDark(true)
        #expect(await eventually(within: .seconds(30)) { asked.withLock { $0 } == 2 })
        relay.setDark(false)
        #expect(await eventually { link.quality.isConnected })
        ticketIsReady.finish()
        #expect(await eventually { given.withLock { $0 } == 2 })
        // Time enough for a session that would take the place of this one.
        for _ in 0..<20 { _ = try? await link.perform(.hover, within: .patient(seconds: 5)) }
        done.finish()
        #expect(try await reply.message == "late")
        #expect(handler.record.withLock { $0.opened.count } == 1)
        await link.close()
        await server.stop()
    }

    @Test func `a cancelled command ends at once and leaves nothing behind`() async throws {
        let (stream, gate) = AsyncStream<Void>.makeStream()
        let handler = RecordingHandler { _ in
            for await _ in stream {}
            return .success(CommandReply(accepted: true, message: "late"))
        }
        let server = try serve(handler)
        let relay = try #require(ImpairedRelay(.udp, to: server.udpPort))
        let link = try link(server, .udp, through: relay)
        try await link.connect(within: .patient(seconds: 5))
        let task = Task { try await link.perform(.land, within: .patient(seconds: 10)) }
        #expect(await eventually { handler.commands.count == 1 })
        // Before any answer has come.
        task.cancel()
        let error = await #expect(throws: LinkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        // A close fails whoever waits, at once.
        let waiting = Task { try await link.perform(.land, within: .patient(seconds: 10)) }
        #expect(await eventually { handler.commands.count == 2 })
        await link.close()
        let closed = await #expect(throws: LinkError.self) { try await waiting.value }
        #expect(closed?.code == .closed)
        gate.finish()
        await server.stop()
    }

    @Test(arguments: [SocketLink.Carrier.udp, .tcp])
    func `a port without a listener is an error within the time given`(carrier: SocketLink.Carrier) async throws {
        let server = try serve(RecordingHandler())
        let ticket = try server.issueTicket()
        await server.stop()
        let link = try SocketLink(host: "localhost", carrier: carrier) { _ throws(LinkError) in ticket }
        // What it found out, and not just that the time was up.
        let error = await #expect(throws: LinkError.self) { try await link.connect(within: .patient(seconds: 3)) }
        #expect(error?.code == .unreachable)
        #expect(error?.what.contains("refuses the channel") == true, "\(String(describing: error))")
        await link.close()
    }

    func newTelemetry(of link: SocketLink, after time: MonotonicTime) async -> MonotonicTime? {
        var newest: MonotonicTime?
        _ = await eventually {
            newest = link.quality.lastTelemetryAt
            return newest.map { $0 > time } ?? false
        }
        return newest.flatMap { $0 > time ? $0 : nil }
    }
}
