import BenchmarkKit
import Statistics
import Testing

@Suite("Figures of several runs") struct EstimateTests {
    private func series(_ runs: [[Int64]], late: Int64? = nil) -> RunSeries {
        RunSeries(
            runs.map { run in Timings(latencies: run, lateness: late.map { late in run.map { _ in late } } ?? []) })
    }

    @Test func `the figure is the median over runs, not that of all samples`() {
        // One run is ten times as long as the others: put together it would decide alone.
        let series = series([[10, 10, 10], [20, 20, 20], Array(repeating: 90, count: 30)])
        #expect(series.estimate(.p50, per: 1).value == 20)
        #expect(series.all().median == 90)
    }

    @Test func `with ten runs there is an interval, with fewer the lowest and the highest`() throws {
        let figures = (1...10).map { 1 + Double($0) / 10 }
        let ten = Estimate(byRun: figures)
        guard case .interval(let interval) = ten.spread else {
            Issue.record("no interval: \(ten.spread)")
            return
        }
        #expect(ten.value == 1.5)
        #expect(interval.low < 1.5 && interval.high > 1.5)
        #expect(interval.low >= 1.1 - 1e-9 && interval.high <= 2 + 1e-9 && interval.high - interval.low > 0.2)
        let nine = Estimate(byRun: figures.dropLast().reversed())
        #expect(nine.spread == .range(.init(low: 1.1, high: 1.9)))
        #expect(nine.spreadText == "lowest and highest of 9 runs 1.10 to 1.90, no interval")
        #expect(ten.spreadText.hasPrefix("95 % interval of 10 runs "))
        #expect(Estimate.fewestRuns == 10)
    }

    @Test func `one run has no spread, and a run without samples no figure`() {
        #expect(Estimate(3).spread == .oneRun && Estimate(3).value == 3 && Estimate(3).ends == nil)
        #expect(Estimate(byRun: [1, .nan, 2]).value.isNaN && Estimate(byRun: []).value.isNaN)
        #expect(series([[1, 2], []]).estimate(.p50, per: 1).value.isNaN)
        #expect(Estimate(byRun: Array(repeating: .infinity, count: 10)).ends?.high == .infinity)
    }

    @Test func `runs are compared with those beside them`() {
        // Every run is slower than the one before, for both, and twice as long for one of them.
        let peer = series((1...10).map { run in (1...9).map { Int64(100 * run + $0) } })
        let ours = series((1...10).map { run in (1...9).map { Int64(2 * (100 * run + $0)) } })
        let ratio = ours.compared(with: peer, at: .p50, /)
        #expect(ratio.value == 2 && ratio.ends == .init(low: 2, high: 2))
        #expect(ours.compared(with: peer, at: .p50, -).byRun == peer.byRun(.p50))
    }

    @Test func `the lateness of timers is in a latency, and not in what counts from the call`() {
        let series = series([[150, 160, 170], [150, 160, 170]], late: 60)
        #expect(series.isPaced && series.lateness.median == 60 && series.latenessByRun == [60, 60])
        #expect(series.byRun(.p50) == [160, 160] && series.byRun(.p50, from: .call) == [100, 100])
        #expect(series.all(from: .call).median == 100)
    }

    @Test func `a limit must hold both from the intended instant and from the call`() {
        let peer = series(Array(repeating: Array(repeating: 110, count: 6), count: 3), late: 100)
        let ours = series(Array(repeating: Array(repeating: 130, count: 6), count: 3), late: 100)
        // 130 / 110 counts the timer on both sides; 30 / 10 does not.
        let figure = Figure("median", ours, over: peer, at: .p50, limit: .atMost(1.3))
        #expect(figure.isMeaningful && abs(figure.value - 1.18) < 0.01 && figure.fromCall?.value == 3)
        #expect(!figure.holds && figure.text.contains("from the call 3 times") && figure.text.hasSuffix("MISSED"))
        #expect(Figure("median", ours, over: peer, at: .p50, limit: .atMost(3)).holds)
    }

    @Test func `a percentile of too few operations does not count`() {
        let short = series(Array(repeating: Array(repeating: 100, count: 299), count: 3))
        let long = series(Array(repeating: Array(repeating: 100, count: 300), count: 3))
        #expect(Figure("p99", long, over: long, at: .p99, limit: .atMost(1)).isMeaningful)
        let figure = Figure("p99", long, over: short, at: .p99, limit: .atMost(1))
        #expect(!figure.isMeaningful && figure.fromCall == nil && figure.text.hasSuffix("(too short a run)"))
    }

    @Test func `runs on both sides of a limit are mentioned`() {
        let figure = Figure(
            name: "median", estimate: Estimate(byRun: [1.1, 1.2, 1.4]), unit: "times", limit: .atMost(1.3))
        #expect(figure.holds && figure.isUndecided && figure.text.hasSuffix("both sides of the limit"))
        let clear = Figure(name: "n", estimate: Estimate(byRun: [1.1, 1.2]), unit: "", limit: .atLeast(1))
        #expect(clear.holds && !clear.isUndecided)
        #expect(!Figure(name: "n", value: .nan, unit: "", limit: .atMost(1)).holds)
    }
}
