import Impairment
import IntegrationKit
import Synchronization
import Testing
import Threads
import UAVLink

@testable import Modules
@testable import SocketTransport

/// A vehicle that takes every setpoint.
private final class TakingHandler: ChannelHandler {
    func steer(_ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime) -> SteeringVerdict {
        .applied
    }

    func perform(
        _ command: Command, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        answer(.success(CommandReply(accepted: true, message: "")))
    }
}

/// The channel of a companion in this process, through a relay: what the laboratory says of a delay and of a stall.
@Suite("A link that stalls cannot hide it", .serialized, .timeLimit(.minutes(2)))
struct StalledLinkTests {
    private struct Bench {
        let server: ChannelServer
        let relay: ImpairedRelay
        let link: SocketLink
        let clock = SystemMonotonicClock()

        init(_ carrier: SocketLink.Carrier, delay: Duration = .zero) async throws {
            let server = try ChannelServer(
                configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: TakingHandler())
            let isDatagram = carrier == .udp
            let relay = try #require(
                ImpairedRelay(
                    isDatagram ? .udp : .tcp, to: isDatagram ? server.udpPort : server.tcpPort,
                    up: Impairment(delay: delay), down: Impairment(delay: delay)))
            link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
                try server.issueTicket().through(udpPort: relay.port, tcpPort: relay.port)
            }
            (self.server, self.relay) = (server, relay)
            link.startTracing()
            try await link.connect(within: .seconds(10))
            try await Task.sleep(for: .milliseconds(300))
        }

        /// The series that the laboratory makes of a run; both ends have one clock here.
        func steer(_ count: Int, during: @escaping @Sendable () async -> Void = {}) async -> LatencySeries {
            let schedule = FixedSchedule(
                start: clock.now + .milliseconds(5), period: .milliseconds(10), count: count)
            let run = ScheduledSteering(clock: clock, wait: PreciseWait(clock: clock))
            let (link, start) = (link, clock.now)
            async let beside: Void = during()
            let shots =
                await OwnThread.run {
                    run.run(schedule) { (setpoint) throws(LinkError) in
                        try link.steer(setpoint)
                        return nil
                    }
                } ?? []
            await beside
            var notes = ChannelNotes()
            for _ in 0..<40 {
                for part in link.takeTrace() { notes.add(part) }
                if notes.areComplete { break }
                try? await Task.sleep(for: .milliseconds(100))
            }
            return notes.steering(
                shots, since: start, offset: 0, bound: 0, warmUpDropped: 0, hertz: 100, seconds: Double(count) / 100)
        }

        func close() async {
            await link.close()
            relay.stop()
            await server.stop()
        }
    }

    @Test(arguments: [SocketLink.Carrier.udp, .tcp])
    func `a relay that holds everything for 300 ms makes about thirty setpoints late or lost`(
        _ carrier: SocketLink.Carrier
    ) async throws {
        let bench = try await Bench(carrier)
        let relay = bench.relay
        let series = await bench.steer(200) {
            try? await Task.sleep(for: .milliseconds(500))
            relay.holdUp(true)
            try? await Task.sleep(for: .milliseconds(300))
            relay.holdUp(false)
        }
        #expect(series.samples.count == 200)
        // Over TCP a newer setpoint takes the place of one that could not go: it never comes, which is worse than late.
        let late = series.samples.filter { $0.nanoseconds.map { $0 > 10_000_000 } ?? true }
        #expect((24...40).contains(late.count), "\(late.count) of \(series.samples.count)")
        for sample in series.samples {
            if let whole = sample.nanoseconds { #expect(sample.stages?.sum == whole) }
        }
        await bench.close()
    }

    @Test func `a known delay comes out as it is`() async throws {
        let bench = try await Bench(.udp, delay: .milliseconds(10))
        let series = await bench.steer(200)
        let arrived = series.samples.compactMap(\.nanoseconds).sorted()
        #expect(arrived.count == 200)
        // Not earlier than the relay lets go, and by how much later is the benchmark's to say, on a quiet machine.
        #expect(try #require(arrived.first) >= 10_000_000)
        #expect(arrived[arrived.count / 2] < 20_000_000)
        await bench.close()
    }
}
