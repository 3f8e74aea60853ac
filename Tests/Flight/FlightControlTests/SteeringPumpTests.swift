import FlightControl
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@Suite struct SteeringPumpTests {
    private let clock = FakeClock()

    private func flyingLink() async throws -> FakeLink {
        let link = FakeLink(clock: clock, speed: 50)
        try await link.connect(within: .seconds(1))
        return link
    }

    private func east(_ due: MonotonicTime) -> VelocitySetpoint {
        VelocitySetpoint(velocityMetresPerSecond: Vector3(x: 1, y: 0, z: 0), intendedAt: due)
    }

    @Test func `every setpoint carries the instant of the schedule, and a run begins neutral`() async throws {
        let link = try await flyingLink()
        let end = clock.now + .milliseconds(200)
        let pump = try SteeringPump(link: link, rateHertz: 200, clock: clock)
        let report = try await clock.run(through: { await pump.run { due in due < end ? east(due) : nil } })
        let setpoints = link.setpoints
        #expect(report.sent == UInt64(setpoints.count))
        #expect(report.sent == 40 && report.missed == 0 && report.scheduled == 40)
        #expect(report.latest == .zero && report.duration == .milliseconds(200))
        #expect(report.failure == nil)
        let first = try #require(setpoints.first)
        for setpoint in setpoints {
            #expect((setpoint.intendedAt - first.intendedAt).nanoseconds % 5_000_000 == 0)
        }
        let neutral = setpoints.prefix { $0.isNeutral }
        #expect(!neutral.isEmpty)
        #expect(neutral.allSatisfy { $0.intendedAt < first.intendedAt + .milliseconds(50) || neutral.count <= 2 })
        #expect(setpoints.dropFirst(neutral.count).allSatisfy { !$0.isNeutral })
        await link.close()
    }

    @Test func `a late setpoint is left out and counted, not caught up with`() async throws {
        let link = try await flyingLink()
        let clock = StallingClock()
        let pump = try SteeringPump(link: link, rateHertz: 100, clock: clock)
        let report = await pump.run { due in due.nanoseconds < 400_000_000 ? east(due) : nil }
        // The clock jumps by 300 ms once: 30 instants of the 40 pass, none of them is sent late.
        #expect((29...30).contains(report.missed))
        #expect(report.scheduled == 40)
        #expect(report.latest < .milliseconds(10))
        await link.close()
    }

    @Test func `it ends when it is stopped, when its task is cancelled and when the link fails`() async throws {
        let link = try await flyingLink()
        let stopped = try SteeringPump(link: link, rateHertz: 100, clock: clock)
        stopped.stop()
        #expect(await stopped.run(east).sent == 0)
        let pump = try SteeringPump(link: link, rateHertz: 1000, clock: clock)
        let task = Task { await pump.run(east) }
        await clock.run(for: .milliseconds(20))
        #expect(!link.setpoints.isEmpty)
        task.cancel()
        await clock.run(for: .milliseconds(50))
        #expect(await task.value.failure == nil)
        await link.close()
        let report = try await SteeringPump(link: link, rateHertz: 1000, clock: clock).run(east)
        #expect(report.failure != nil)
        #expect(report.sent == 0)
    }

    @Test func `where the vehicle's end decides who flies it stays neutral until setpoints reach the vehicle`()
        async throws
    {
        let link = GatedLink(clock: clock)
        let start = clock.now
        link.take(after: .seconds(1))
        let end = start + .milliseconds(1500)
        let pump = try SteeringPump(link: link, rateHertz: 50, clock: clock)
        let report = try await clock.run(through: { await pump.run { due in due < end ? east(due) : nil } })
        #expect(report.failure == nil)
        let moved = try #require(link.setpoints.first { !$0.isNeutral })
        #expect(moved.intendedAt >= start + .seconds(1) && moved.intendedAt <= start + .milliseconds(1040))
        #expect(link.setpoints.filter { $0.intendedAt > moved.intendedAt }.allSatisfy { !$0.isNeutral })
    }

    @Test func `a vehicle that takes no setpoints is reported after three seconds`() async throws {
        let link = GatedLink(clock: clock)
        let pump = try SteeringPump(link: link, rateHertz: 50, clock: clock)
        let report = try await clock.run(through: { await pump.run(east) })
        #expect(report.failure?.code == .notInCommand)
        #expect(report.failure?.what == "the vehicle accepts no setpoints")
        #expect(link.setpoints.allSatisfy { $0.isNeutral })
        #expect((150...152).contains(link.setpoints.count))
    }

    @Test func `a report of an earlier run does not permit motion`() async throws {
        let link = GatedLink(clock: clock)
        link.take(after: .zero)
        await clock.run(for: .milliseconds(20))
        link.freeze()
        let pump = try SteeringPump(link: link, rateHertz: 50, clock: clock)
        let report = try await clock.run(through: { await pump.run(east) })
        #expect(report.failure?.what == "the vehicle accepts no setpoints")
    }

    @Test(arguments: [0, -1, 1000.1, .nan, .infinity]) func `an impossible rate is refused`(rate: Double) {
        #expect(throws: LinkError.self) { try SteeringPump(link: FakeLink(), rateHertz: rate) }
    }
}

/// A clock that goes by itself a millisecond at each look, and stalls once for 300 ms.
private final class StallingClock: MonotonicClock {
    private let clock = FakeClock(start: MonotonicTime(nanoseconds: 0))

    var now: MonotonicTime {
        let now = clock.now
        let step: Duration =
            (50_000_000..<51_000_000).contains(now.nanoseconds) ? .milliseconds(300) : .milliseconds(1)
        clock.advance(by: step)
        return now
    }

    func sleep(until deadline: MonotonicTime) async throws(CancellationError) { block(until: deadline) }

    func block(until deadline: MonotonicTime) { while now < deadline {} }
}
