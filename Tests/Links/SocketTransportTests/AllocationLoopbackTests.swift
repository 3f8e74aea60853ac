import ChannelTestKit
import CAllocationCounter
import IntegrationKit
import Synchronization
import Testing
import Threads
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// Notes, at each setpoint, how often its thread has asked the heap for memory so far.
private final class CountingHandler: ChannelHandler {
    struct Counts {
        var setpoints = 0
        var atFirst: Int64 = 0
        var atLast: Int64 = 0
    }

    let counts = Mutex(Counts())

    func steer(_ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime) -> SteeringVerdict {
        let now = uavlink_thread_allocations()
        counts.withLock { counts in
            // The first hundred may still warm something up.
            if counts.setpoints == 100 { counts.atFirst = now }
            counts.setpoints += 1
            counts.atLast = now
        }
        return .applied
    }

    func perform(
        _ command: Command, _ issue: CommandIssue, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        answer(.success(CommandReply(accepted: true, message: "")))
    }
}

@Suite("Allocations in the steady state", .timeLimit(.minutes(MachinePace.minutes(1)))) struct AllocationLoopbackTests {
    @Test(
        .enabled(if: uavlink_thread_allocations() >= 0, "this C library's allocations cannot be counted"),
        arguments: [SocketLink.Carrier.udp, .tcp])
    func `neither end allocates for a setpoint, heartbeats and telemetry included`(
        carrier: SocketLink.Carrier
    ) async throws {
        let handler = CountingHandler()
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
        let clock = SystemMonotonicClock()
        server.publish(Samples.telemetry(at: clock.now))
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in try server.issueTicket()
        }
        try await link.connect(within: .patient(seconds: 5))
        #expect(await eventually { link.latestTelemetry?.messages.count == 2 })
        // On a thread of its own, as a joystick's: a task could change threads in the middle.
        let sent = Mutex<(allocations: Int64, failures: Int)?>(nil)
        #expect(
            DedicatedThread.start {
                var first: Int64 = 0
                var failures = 0
                var number = 0
                // More than those, where some expire on their way because the machine stands still for a moment.
                while number < 1500 || (number < 60_000 && handler.counts.withLock { $0.setpoints } <= 1400) {
                    if number == 100 { first = uavlink_thread_allocations() }
                    do { try link.steer(Samples.setpoint(x: Double(number), at: clock.now)) } catch { failures += 1 }
                    number += 1
                    pause()
                }
                let last = uavlink_thread_allocations()
                sent.withLock { $0 = (last - first, failures) }
            })
        #expect(await eventually(within: .seconds(40)) { sent.withLock { $0 != nil } })
        let ground = try #require(sent.withLock { $0 })
        #expect(ground.failures == 0)
        #expect(ground.allocations == 0)
        #expect(await eventually { handler.counts.withLock { $0.setpoints } > 1400 })
        let counts = handler.counts.withLock { $0 }
        #expect(counts.atLast - counts.atFirst == 0, "in \(counts.setpoints) setpoints")
        await link.close()
        await server.stop()
    }
}
