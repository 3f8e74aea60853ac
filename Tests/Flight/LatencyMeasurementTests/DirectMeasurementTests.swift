import LatencyMeasurement
import Statistics
import Testing
import UAVLink
import UAVTestKit

/// The figures of a machine that is reached by its own protocol.
@Suite struct DirectMeasurementTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func figures(
        _ milliseconds: [Int], until end: Int, _ quality: LinkQuality = LinkQuality()
    ) -> DirectMeasurement.Figures {
        var figures = DirectMeasurement.Figures()
        for time in milliseconds { figures.note(at: start + .milliseconds(time)) }
        figures.end(at: start + .milliseconds(end), since: start, quality)
        return figures
    }

    @Test func `telemetry that comes steadily`() {
        let steady = figures(Array(stride(from: 5, through: 1000, by: 5)), until: 1000)
        #expect(steady.updates == 200)
        #expect(steady.rateHertz == 200)
        #expect(steady.telemetryGaps.maximum == 5_000_000)
        #expect(steady.hasContent)
        #expect(
            steady.lines(machine: "AR.Drone").first
                == "telemetry   200 updates, 200.0 Hz; between two: median 5.00 ms, p99 5.00 ms, longest 5.00 ms")
    }

    /// Else a machine that falls silent would look as steady as before.
    @Test func `what has not come by the end is a gap, too`() {
        let silent = figures([0, 10, 20, 30], until: 5000)
        #expect(silent.telemetryGaps.maximum == 4_970_000_000)
        #expect(silent.telemetryGaps.value(at: .p50) == 10_000_000)
        // Right after an update nothing is late.
        #expect(figures([0, 10, 20, 30], until: 32).telemetryGaps.maximum == 10_000_000)
    }

    @Test func `round trips are those of the link's questions, and what has none says so`() {
        var quality = LinkQuality(isConnected: true)
        quality.roundTripMedian = .microseconds(4200)
        quality.roundTripP99 = .milliseconds(31)
        let asked = figures([0, 100], until: 200, quality).lines(machine: "Tello")
        #expect(asked[1] == "round trip  median 4.20 ms, p99 31.00 ms, of the questions that its link asks")
        let silent = figures([0, 100], until: 200).lines(machine: "AR.Drone")
        #expect(silent[1] == "round trip  not measured: AR.Drone answered no question of its link")
        #expect(silent[2] == "steering    not measured: AR.Drone does not say when a setpoint has arrived")
    }

    @Test func `a machine that says nothing is not measured`() {
        let none = figures([], until: 20_000)
        #expect(!none.hasContent)
        #expect(none.lines(machine: "Tello").first == "telemetry   not measured: none in 20 s")
        #expect(!figures([7], until: 20_000).hasContent)
    }

    @Test func `it watches for as long as it was asked to, and sends nothing`() async throws {
        let clock = FakeClock()
        let toy = ToyLink(clock: clock)
        try await toy.connect(within: .seconds(1))
        let figures = try await clock.run(within: .seconds(10)) {
            await DirectMeasurement(clock: clock).run(over: toy, for: .seconds(2))
        }
        #expect(figures.period == .seconds(2))
        // The toy reports a hundred times a second.
        #expect((195...205).contains(figures.updates))
        #expect(figures.telemetryGaps.maximum == 10_000_000)
        #expect(toy.commands.isEmpty)
        #expect(toy.quality.setpointsSent == 0)
        await toy.close()
    }
}
