import LatencyMeasurement
import LatencyTestKit
import ReportKit
import Statistics
import Testing

@Suite struct LatencySummaryTests {
    @Test func `the rest of a way is the network's, and the stages add up to the whole`() {
        let times = StageTimes(whole: 100, known: [.queue: 10, .ros: 30, .network: 5])
        #expect(times[.network] == 60 && times.sum == 100 && times[.encode] == 0)
    }

    @Test func `mean stages add up to the mean of the whole`() throws {
        let summary = SeriesSummary(
            LatencyExamples.series([1, 2, 6]) { StageTimes(whole: $0, known: [.encode: $0 / 4, .ros: $0 / 2]) })
        let sum = summary.stages.reduce(0) { $0 + $1.meanNanoseconds }
        #expect(sum == 3_000_000 && summary.samples.mean == 3_000_000)
        #expect(summary.stages.map(\.stage) == [.encode, .network, .ros])
    }

    @Test func `a run that is too short has no such percentile`() {
        let short = SeriesSummary(LatencyExamples.series(LatencyExamples.staircase(299)))
        #expect(short.quantiles.map(\.percentile) == [.p50, .p90])
        let enough = SeriesSummary(LatencyExamples.series(LatencyExamples.staircase(300)))
        #expect(enough.value(at: .p99) == 99_000_000 && enough.value(at: .p999) == nil)
        #expect(SeriesSummary(LatencyExamples.series([1, 2])).quantiles.isEmpty)
    }

    @Test func `what never came is missing and in no figure`() {
        let summary = SeriesSummary(LatencyExamples.series([5, nil, 7, nil]))
        #expect(summary.count == 2 && summary.missingShare == 0.5 && summary.samples.maximum == 7_000_000)
    }

    @Test func `jitter goes by the order of arrival, not of sending`() {
        // The second comes last: transits 1, 1, 30 in that order.
        let summary = SeriesSummary(LatencyExamples.series([1, 30, 1]))
        #expect(summary.rfc3550Jitter == 29_000_000.0 / 16)
        #expect(summary.delayVariation.sorted == [0, 29_000_000])
    }

    @Test(arguments: [
        (LatencySeries.ClockRelation.same, 0.1, true), (.unknown, 1e9, false),
        (.measured(offsetNanoseconds: 9, boundNanoseconds: 100), 100, false),
        (.measured(offsetNanoseconds: 9, boundNanoseconds: 100), 101, true),
        (.measured(offsetNanoseconds: 9, boundNanoseconds: 100), -101, true),
    ])
    func `a figure within the clocks' bound means nothing`(
        clock: LatencySeries.ClockRelation, value: Double, means: Bool
    ) {
        #expect(SeriesSummary(LatencyExamples.series([1], clock: clock)).means(value) == means)
    }

    @Test func `links are compared with udp, with an interval that holds the ratio`() throws {
        let summary = LatencySummary(LatencyExamples.report(LatencyExamples.twoLinks))
        let ratios = summary.conditions[0].ratios
        // Steering over ssh has 20 values with the clock of one machine; telemetry has none to compare.
        #expect(ratios.map(\.kind) == [.command, .steering])
        let command = try #require(ratios.first)
        #expect(command.link == "ssh" && command.reference == "udp")
        #expect(command.ratio == 995.0 / 3)
        #expect(command.interval.low <= command.ratio && command.ratio <= command.interval.high)
    }

    @Test func `a median within the clocks' bound is compared with nothing`() {
        let wide = LatencySeries.ClockRelation.measured(offsetNanoseconds: 0, boundNanoseconds: 5_000_000)
        let links = ["udp", "tcp"].map {
            LinkRun(
                link: $0, how: "", steering: .series(LatencyExamples.series((0..<50).map { _ in 4 }, clock: wide)))
        }
        #expect(LatencySummary(LatencyExamples.report(links)).conditions[0].ratios.isEmpty)
    }
}
