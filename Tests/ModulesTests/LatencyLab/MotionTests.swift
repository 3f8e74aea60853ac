import Testing
import UAVLink
import UAVTestKit

@testable import Modules

/// Every instant has come.
private struct NoWait: InstantWaiting {
    func wait(until instant: MonotonicTime) {}
}

@Suite("Motion on request", .timeLimit(.minutes(1))) struct MotionTests {
    private static let hoursAway: Duration = .seconds(3600)
    private let clock = FakeClock()

    /// A link to a vehicle in the air that has told of itself, and does so no more.
    private func flying() async throws -> FakeLink {
        let link = FakeLink(clock: clock)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        var telemetry = FakeVehicle().telemetry(name: "uav1", now: clock.now)
        telemetry.flight?.value.state = .flying
        link.publish(telemetry)
        return link
    }

    @Test func `a movement that is interrupted ends with a hover and is no loss`() async throws {
        let link = try await flying()
        let moving = Task { () -> Measured in
            var notes = MotionNotes(patience: Self.hoursAway, settling: Self.hoursAway)
            await notes.move(over: link, clock: clock, wait: NoWait())
            return notes.measured(since: MonotonicTime(nanoseconds: 0))
        }
        #expect(await becomesTrue { link.setpoints.contains { $0.velocityMetresPerSecond.x > 0 } })
        moving.cancel()
        guard case .absent = await moving.value else {
            Issue.record("an interrupted movement was noted")
            return
        }
        #expect(link.commands == [.hover])
        await link.close()
    }

    @Test func `telemetry that ends holds nobody`() async throws {
        let link = try await flying()
        let measured = try await clock.run(through: {
            var notes = MotionNotes(patience: .zero, settling: .zero)
            await notes.move(over: link, clock: clock, wait: NoWait())
            return notes.measured(since: MonotonicTime(nanoseconds: 0))
        })
        guard case .series(let series) = measured else {
            Issue.record("a movement that nobody saw was not noted")
            return
        }
        #expect(series.samples.map(\.nanoseconds) == [nil])
        #expect(link.commands == [.hover])
        await link.close()
    }
}
