import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit

@testable import LatencyLabMode

/// What stands in the setup in red: it goes when it no longer holds.
@MainActor
@Suite("Latency laboratory: problems that end")
struct LatencyProblemTests {
    @Test func `what stood against a start goes as soon as it does not`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.takingOff)
        bench.send(.start)
        #expect(!bench.state.setup.problem.isEmpty && bench.state.phase == .choosing)
        bench.vehicle(.landing)
        await bench.timeSource.beat()
        #expect(!bench.state.setup.problem.isEmpty)
        bench.vehicle(.disarmed)
        await bench.timeSource.beat()
        #expect(bench.state.setup.problem.isEmpty)
        bench.instance.detach()
    }

    @Test func `a failure is shown for as long as a notice`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        bench.measuring.end(.failure(LinkError(.unreachable, "no companion", hint: "start it")))
        #expect(await bench.timeSource.fake.run { bench.state.setup.problem.contains("no companion") })
        await bench.timeSource.beat(.seconds(7))
        #expect(bench.state.setup.problem.contains("no companion"))
        await bench.timeSource.beat(.seconds(2))
        #expect(bench.state.setup.problem.isEmpty)
        bench.instance.detach()
    }

    @Test func `another choice ends what was said of the one before`() {
        let (early, late) = (MonotonicTime(nanoseconds: 0), MonotonicTime(nanoseconds: 8_000_000_000))
        let refused = LatencyProblem.refusedStart("no link selected")
        #expect(refused.lasting("no condition selected", now: late)?.text == "no condition selected")
        #expect(refused.lasting(nil, now: early) == nil)
        let happened = LatencyProblem.happened("no companion", at: early)
        #expect(happened.lasting("no link selected", now: early) == happened && happened.lasting(nil, now: late) == nil)
    }
}
