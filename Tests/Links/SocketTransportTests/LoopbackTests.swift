import ChannelTestKit
import IntegrationKit
import Synchronization
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// Both ends on real sockets of the loopback.
@Suite("Channel over loopback sockets", .timeLimit(.minutes(MachinePace.minutes(1))))
struct LoopbackTests {
    static let carriers: [SocketLink.Carrier] = [.udp, .tcp]

    private func serve(_ handler: RecordingHandler) throws -> ChannelServer {
        try ChannelServer(configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
    }

    private func link(
        _ server: ChannelServer, _ carrier: SocketLink.Carrier, saying said: String = "program=\(Version.text)"
    ) throws -> SocketLink {
        try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
            // Through its text, as over SSH.
            let line = try server.issueTicket().unwipedLine
            return try ChannelTicket(line: line.replacing("program=\(Version.text)", with: said))
        }
    }

    @Test(arguments: [
        ("program=\(Version.text)", nil), ("program=99.1.0", "is version 99.1.0"), ("", "is older than this program"),
    ])
    func `a companion of another version is flown with and warned of`(said: String, warning: String?) async throws {
        let server = try serve(RecordingHandler())
        let link = try link(server, .udp, saying: said)
        #expect(link.quality.versionWarning == nil)
        try await link.connect(within: .patient(seconds: 5))
        let found = link.quality.versionWarning
        #expect(warning.map { found?.contains($0) == true } ?? (found == nil), "\(found as Any)")
        #expect(try await link.perform(.takeoff, within: .patient(seconds: 2)).accepted)
        await link.close()
        await server.stop()
    }

    @Test(arguments: carriers)
    func `a session opens, steers, commands, tells telemetry and ends`(_ carrier: SocketLink.Carrier) async throws {
        let handler = RecordingHandler()
        let server = try serve(handler)
        let link = try link(server, carrier)
        let clock = SystemMonotonicClock()
        try await link.connect(within: .patient(seconds: 5))
        #expect(link.quality.isConnected)

        #expect(await eventually { link.quality.clockOffsetBound != nil })
        let known = clock.now
        let bound = try #require(link.quality.clockOffsetBound)
        let measured = clock.now
        server.publish(Samples.telemetry(at: measured))
        #expect(await eventually { link.latestTelemetry?.messages.count == 2 && link.latestTelemetry?.tracker != nil })
        let telemetry = try #require(link.latestTelemetry)
        #expect(telemetry.pose?.value == Samples.telemetry(at: measured).pose?.value)
        #expect(telemetry.battery?.value == Samples.telemetry(at: measured).battery?.value)
        #expect(telemetry.gnss?.value == Samples.telemetry(at: measured).gnss?.value)
        #expect(telemetry.messages.map(\.value) == Samples.telemetry(at: measured).messages.map(\.value))
        // Both ends share a clock here, so the instant comes through but for the bound and the microsecond. A bound ages until
        // a better one is found, however long that takes.
        let aged = Int64(Double((clock.now - known).nanoseconds) * ChannelTimes.drift)
        let offBy = try #require(telemetry.pose?.at) - measured
        #expect(abs(offBy.nanoseconds) <= bound.nanoseconds + aged + 1000, "\(offBy), bound \(bound)")

        let reply = try await link.perform(.takeoff, within: .patient(seconds: 2))
        #expect(reply.accepted && reply.message == "did takeoff")
        #expect(reply.roundTrip > .zero)

        var sent: UInt64 = 0
        for step in 0..<100 {
            sent += UInt64(try await link.steer(x: Double(step), untilItReaches: handler).count)
        }
        #expect(handler.setpoints.map(\.velocityMetresPerSecond.x) == (0..<100).map(Double.init))
        #expect(await eventually { link.quality.setpointsApplied == 100 })
        // Of those that were on their way while the machine stood still, every one is counted.
        #expect(link.quality.setpointsExpired == sent - 100)
        #expect(link.quality.setpointsSent == sent)

        await link.close()
        #expect(await eventually { handler.record.withLock { $0.closed.count } == 1 })
        await server.stop()
    }

    @Test(arguments: carriers)
    func `what is known of the clocks is true, however long the threads of both ends are not scheduled`(
        _ carrier: SocketLink.Carrier
    ) async throws {
        let (ground, vehicle) = (DawdlingClock(), DawdlingClock())
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: RecordingHandler(),
            clock: vehicle)
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier, clock: ground) { _ throws(LinkError) in
            try server.issueTicket()
        }
        try await link.connect(within: .patient(seconds: 5))
        ground.pause.store(3_000_000, ordering: .relaxed)
        vehicle.pause.store(1_000_000, ordering: .relaxed)
        for step in 0..<50 {
            server.publish(Samples.telemetry(at: SystemMonotonicClock().now))
            try await Task.sleep(for: .milliseconds(20))
            guard let timing = link.timing else { continue }
            // Both ends have the same clock: the truth is zero.
            let (offset, bound) = (timing.clockOffset.nanoseconds, timing.clockOffsetBound.nanoseconds)
            #expect(abs(offset) <= bound, "after \(step * 20) ms: \(offset) ns, bound \(bound) ns")
        }
        await link.close()
        await server.stop()
    }

    @Test(arguments: carriers)
    func `a trajectory larger than a frame arrives whole`(_ carrier: SocketLink.Carrier) async throws {
        let handler = RecordingHandler()
        let server = try serve(handler)
        let link = try link(server, carrier)
        try await link.connect(within: .patient(seconds: 5))
        let trajectory = Samples.trajectory(points: 5000)
        let reply = try await link.perform(.uploadTrajectory(trajectory), within: .patient(seconds: 20))
        #expect(reply.accepted)
        #expect(handler.commands == [.uploadTrajectory(trajectory)])
        await link.close()
        await server.stop()
    }

    @Test(arguments: carriers)
    func `an answer larger than a frame arrives whole`(_ carrier: SocketLink.Carrier) async throws {
        let text = String(repeating: "the whole story, ", count: 500)
        let handler = RecordingHandler { _ in .success(CommandReply(accepted: false, message: text)) }
        let server = try serve(handler)
        let link = try link(server, carrier)
        try await link.connect(within: .patient(seconds: 5))
        let reply = try await link.perform(.land, within: .patient(seconds: 5))
        #expect(reply.message == text)
        await link.close()
        await server.stop()
    }
}

/// The system's clock; whoever has looked at it is not scheduled for a while.
private final class DawdlingClock: MonotonicClock {
    private let clock = SystemMonotonicClock()
    /// For how long, in nanoseconds.
    let pause = Atomic<Int64>(0)

    var now: MonotonicTime {
        let now = clock.now
        let pause = pause.load(ordering: .relaxed)
        if pause > 0 { clock.block(until: now + .nanoseconds(pause)) }
        return now
    }

    func sleep(until deadline: MonotonicTime) async throws(CancellationError) { try await clock.sleep(until: deadline) }
    func block(until deadline: MonotonicTime) { clock.block(until: deadline) }
}

extension SocketLink {
    /// Sends a setpoint until it has come to the handler: one that is too old when it arrives, because the machine stood still
    /// on its way, is counted as expired by the companion, and sent again.
    ///
    /// - Returns: a receipt of each that was sent; the last one is of the setpoint that came.
    func steer(x: Double, untilItReaches handler: RecordingHandler) async throws -> [SteeringReceipt] {
        let before = handler.setpoints.count
        var receipts: [SteeringReceipt] = []
        while handler.setpoints.count == before {
            let expired = quality.setpointsExpired ?? 0
            receipts.append(
                try steer(
                    Samples.setpoint(
                        x: x, at: SystemMonotonicClock().now, validFor: VelocitySetpoint.longestValidity)))
            let isKnown = await eventually {
                handler.setpoints.count > before || (quality.setpointsExpired ?? 0) > expired
            }
            guard isKnown else { throw ProcessFailure("setpoint \(x) neither came nor was counted as expired") }
        }
        return receipts
    }
}
