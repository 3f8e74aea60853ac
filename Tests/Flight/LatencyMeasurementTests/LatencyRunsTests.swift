import LatencyStatistics
import LatencyTestKit
import ReportKit
import Statistics
import Testing

@testable import LatencyMeasurement
@testable import LatencyOutput

@Suite struct LatencyRunsTests {
    /// A report of a run of so many values of steering in ten rounds.
    private static func report(_ milliseconds: Int64, seed: UInt64, began: Double, failure: String? = nil)
        -> LatencyReport
    {
        let series = LatencyExamples.series((0..<400).map { _ in milliseconds }, rounds: 10)
        var run = LinkRun(link: "udp", how: "", failure: failure)
        if failure == nil { run.steering = .series(series) }
        run.cost = LinkCost(
            seconds: 4, groundNanoseconds: 100, groundWakeUps: 1, vehicleNanoseconds: .value(5, of: "it"),
            vehicleWakeUps: .value(7, of: "it"), traffic: .unknown("why"))
        var report = LatencyExamples.report([run])
        (report.seed, report.beganSeconds, report.notes) = (seed, began, ["busy"])
        return report
    }

    private static func pooled() throws -> LatencyReport {
        try #require(
            LatencyReport.pooled([
                report(2, seed: 7, began: 1000), report(4, seed: 8, began: 1060), report(6, seed: 9, began: 1120),
            ]))
    }

    @Test func `rounds of all runs count together, none of them twice`() throws {
        let whole = try Self.pooled()
        let series = try #require(whole.conditions.first?.links.first?.steering.series)
        #expect(series.samples.count == 1200 && Set(series.samples.map(\.round)) == Set(0..<30))
        #expect(Set(series.samples.map(\.number)).count == 1200)
        let times = series.samples.map(\.intendedNanoseconds)
        #expect(times == times.sorted() && times[400] == 60_000_000_000)
        #expect(series.traffic.intended == 1200 && series.traffic.duplicates == 3 && series.traffic.stale == nil)
        #expect(whole.seed == 7 && whole.lengthSeconds == 162 && whole.notes == ["busy"])
        let cost = try #require(whole.conditions.first?.links.first?.cost)
        #expect(cost.seconds == 12 && cost.groundNanoseconds == 300 && cost.vehicleNanoseconds.value == 15)
        #expect(cost.vehicleWakeUps.value == 21)
        #expect(cost.traffic == .unknown("why"))
        let summary = SeriesSummary(series, kind: .steering)
        #expect(summary.rounds == 30 && summary.value(at: .p50) == 4_000_000)
        // Its oldest setpoint is no older for the pauses between the runs.
        #expect((summary.age?.maximumNanoseconds ?? .infinity) < 20e6)
    }

    @Test func `each run stands for itself, with the deviation between them`() throws {
        let whole = try Self.pooled()
        let table = RunTable(whole, condition: 0)
        #expect(table.cells == [["udp", "steering", "2.000 4.000 6.000", "2.000", "2.000 4.000 6.000", "2.000"]])
        let result = LatencyResult(whole)
        #expect(result.table.text.contains("between 3 runs (ms), seeds 7, 8, 9"))
        #expect(result.html.contains("<h3>Between runs</h3>"))
        #expect(result.json.text.contains("p50_standard_deviation_ms"))
    }

    @Test func `a single run is as it was, and one that failed leaves the others`() throws {
        let one = Self.report(2, seed: 1, began: 1)
        #expect(LatencyReport.pooled([]) == nil && LatencyReport.pooled([one]) == one)
        #expect(!LatencyResult(one).table.text.contains("sd of p50"))
        let whole = try #require(
            LatencyReport.pooled([
                Self.report(2, seed: 1, began: 1, failure: "no host"), Self.report(4, seed: 2, began: 9),
            ]))
        let link = try #require(whole.conditions.first?.links.first)
        #expect(link.failure == nil && link.steering.series?.samples.count == 400)
        #expect(RunTable(whole, condition: 0).cells == [["udp", "steering", "- 4.000", "", "- 4.000", ""]])
    }

    @Test func `a run that ended early says so, once`() throws {
        var second = Self.report(4, seed: 2, began: 9)
        second.end(early: "the vehicle takes off")
        let whole = try #require(LatencyReport.pooled([Self.report(2, seed: 1, began: 1), second]))
        #expect(whole.endingReason == "the vehicle takes off" && whole.notes.count == 2)
    }
}
