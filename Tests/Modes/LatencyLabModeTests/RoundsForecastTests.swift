@testable import LatencyLabMode
import LatencyMeasurement
import Testing
import UAVLink
import UAVTestKit

/// How long a measurement is said to take, over links with long turns.
@Suite struct RoundsForecastTests {
    private let start = FakeClock().now

    private func at(_ seconds: Double) -> MonotonicTime { start + .seconds(seconds) }

    /// Two links in the first round of a condition, which began 0.5 s before: 14 s and 1 s.
    private func begun(_ plan: MeasuringPlan) -> MeasurementProgress {
        var progress = MeasurementProgress(plan)
        progress.take(.condition(number: 1, count: 1, text: "none"), at: at(0))
        progress.take(.turn(.ssh), at: at(0.5))
        progress.take(.turn(.udp), at: at(14.5))
        progress.take(.round(number: 1, elapsed: .seconds(15), planned: plan.duration), at: at(15.5))
        return progress
    }

    @Test func `where another long round follows, the time that it takes is said`() {
        var progress = begun(MeasuringPlan(links: [.ssh, .udp]))
        progress.take(.turn(.ssh), at: at(15.5))
        let shown = progress.progress(at: at(22))
        // 15.5 s, another round of 15 s, and 2 s around them.
        #expect(shown.time == "round 2, ssh, 22 of about 31 s, about 11 s left", "\(shown.time)")
        #expect(abs(shown.fraction - 22 / 32.5) < 0.01, "\(shown.fraction)")
        progress.take(.turn(.udp), at: at(40))
        let late = progress.progress(at: at(40.5))
        #expect(late.time == "round 2, udp, 40 of about 41 s, about 3 s left", "\(late.time)")
        // As long as it is not over, the bar is not full.
        #expect(progress.progress(at: at(100)).fraction < 1)
    }

    @Test func `between two rounds it is said too, and where no other follows the plan holds`() {
        let between = begun(MeasuringPlan(links: [.ssh, .udp])).progress(at: at(15.5))
        #expect(between.time.contains(" of about 31 s, "), "\(between.time)")
        let short = begun(MeasuringPlan(links: [.ssh, .udp], duration: .seconds(15))).progress(at: at(15.5))
        #expect(short.time == "round 2, udp, 15 of 15 s, about 2 s left", "\(short.time)")
    }

    @Test func `planned rounds take as long as those before, and what is left out takes nothing`() {
        var progress = begun(MeasuringPlan(links: [.ssh, .udp], rounds: 10, duration: nil))
        #expect(progress.progress(at: at(15.5)).time.contains(" of about 151 s, "))
        progress.take(.leftOut(.ssh, reason: "closed"), at: at(15.5))
        // Nine rounds of one second are less than planned.
        #expect(!progress.progress(at: at(15.5)).time.contains("about 151 s"))
    }

    @Test func `before a turn has ended, and over links whose rounds fit, the plan is what is said`() {
        var progress = MeasurementProgress(MeasuringPlan(links: [.tcp, .udp]))
        progress.take(.condition(number: 1, count: 1, text: "none"), at: at(0))
        progress.take(.turn(.tcp), at: at(0))
        #expect(progress.progress(at: at(1)).time == "round 1, tcp, 1 of 20 s, about 21 s left")
        progress.take(.turn(.udp), at: at(1.5))
        progress.take(.round(number: 1, elapsed: .seconds(3), planned: .seconds(20)), at: at(3))
        progress.take(.turn(.tcp), at: at(3))
        #expect(progress.progress(at: at(4)).time.contains(", 4 of 20 s, "), "\(progress.progress(at: at(4)).time)")
    }
}
