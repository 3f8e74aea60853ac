import LatencyMeasurement
import LatencyOutput
import LatencyStatistics
import LatencyTestKit
import ReportKit
import Statistics
import Testing

@Suite struct LatencySummaryTests {
    @Test func `the rest of a way is the network's, and the stages add up to the whole`() {
        let times = StageTimes(whole: 100, known: [.queue: 10, .ros: 30, .network: 5])
        #expect(times[.network] == 60 && times.sum == 100 && times[.encode] == 0)
    }

    @Test func `times of a companion that cannot be do not end the program`() {
        let times = StageTimes(whole: .max, known: [.queue: .max, .ros: .max, .encode: 2])
        #expect(times.sum == .max)
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

    @Test func `what never came is missing, and in the percentiles`() {
        let summary = SeriesSummary(LatencyExamples.series([5, nil, 7, nil]))
        #expect(summary.count == 2 && summary.missingShare == 0.5 && summary.samples.maximum == 7_000_000)
        // Of ten, four were lost: p50 is the fifth of those that arrived, and p90 is lost.
        let lossy = SeriesSummary(LatencyExamples.series((0..<30).map { $0 % 10 < 4 ? nil : Int64($0) }))
        #expect(lossy.value(at: .p50) == 26_000_000)
        #expect(lossy.quantiles.map(\.percentile) == [.p50, .p90] && lossy.value(at: .p90) == nil)
        #expect(lossy.medianNanoseconds == 26_000_000 && lossy.upperPercentile?.name == "max")
        #expect(lossy.upperPercentile.map { $0.nanoseconds == nil } == true)
    }

    @Test func `the first of each turn is in a figure of its own`() {
        var series = LatencyExamples.series((0..<60).map { $0 % 2 == 0 ? 90 : 5 })
        for index in series.samples.indices where index % 2 == 0 { series.samples[index].isCold = true }
        let summary = SeriesSummary(series, kind: .steering)
        #expect(summary.count == 30 && summary.samples.maximum == 5_000_000 && summary.rounds == 30)
        #expect(summary.cold.intended == 30 && summary.cold.value(at: .p50) == .delay(90_000_000))
        // For the vehicle it is a setpoint like the others.
        #expect(summary.age?.maximumNanoseconds == 15e6)
    }

    @Test func `fewer than ten rounds have no interval, and a note says so`() throws {
        let values: [Int64?] = (1...50).map { $0 }
        let few = LinkRun(link: "udp", how: "", command: .series(LatencyExamples.series(values, rounds: 9)))
        let many = LinkRun(link: "tcp", how: "", command: .series(LatencyExamples.series(values)))
        let condition = LatencySummary(LatencyExamples.report([few, many])).conditions[0]
        #expect(condition.links[0][.command]?.medianInterval == nil)
        #expect(condition.links[1][.command]?.medianInterval != nil)
        #expect(condition.figureNotes(of: .command).last?.hasPrefix("no interval for udp: 9 rounds, and 10") == true)
        let ratio = try #require(condition.ratios.first)
        #expect(ratio.interval == nil && ratio.intervalText.hasPrefix("no interval: fewer than 10 rounds"))
    }

    @Test func `with fewer than ten rounds of a link under a condition it is a first answer`() {
        func summary(_ rounds: Int) -> LatencySummary {
            let values: [Int64?] = (1...50).map { $0 }
            var link = LinkRun(link: "udp", how: "", command: .series(LatencyExamples.series(values, rounds: rounds)))
            link.steering = .series(LatencyExamples.series(values))
            // Once in a run, over a shell.
            link.telemetry = .series(LatencyExamples.series(values, rounds: 1))
            var report = LatencyExamples.report([link])
            link.command = .series(LatencyExamples.series(values))
            report.conditions.append(ConditionRun(impairment: "delay=1ms", links: [link]))
            return LatencySummary(report)
        }
        #expect(summary(9).firstAnswer?.contains("9 rounds only") == true)
        #expect(summary(1).firstAnswer?.contains("1 round only") == true)
        #expect(summary(10).firstAnswer == nil)
        #expect(LatencySummary(LatencyExamples.report([])).firstAnswer == nil)
    }

    @Test func `jitter goes by the order of arrival, not of sending, and is averaged`() {
        // The second comes last: transits 1, 1, 30 in that order, so that the estimates are 0 and 29 / 16.
        let summary = SeriesSummary(LatencyExamples.series([1, 30, 1], rounds: 1))
        #expect(summary.rfc3550Jitter == 29_000_000.0 / 32)
        #expect(summary.packetDelayVariation.sorted == [0, 0, 29_000_000])
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
        let interval = try #require(command.interval)
        #expect(interval.low <= command.ratio && command.ratio <= interval.high)
    }

    @Test func `a median within the clocks' bound is compared with nothing`() {
        let wide = LatencySeries.ClockRelation.measured(offsetNanoseconds: 0, boundNanoseconds: 5_000_000)
        let links = ["udp", "tcp"].map {
            LinkRun(
                link: $0, how: "", steering: .series(LatencyExamples.series((0..<50).map { _ in 4 }, clock: wide)))
        }
        #expect(LatencySummary(LatencyExamples.report(links)).conditions[0].ratios.isEmpty)
    }

    @Test func `a ratio carries the bounds of both sides, which few rounds do not hide`() throws {
        let clock = LatencySeries.ClockRelation.measured(offsetNanoseconds: 0, boundNanoseconds: 1_000_000)
        func run(_ link: String, _ milliseconds: Int64, _ clock: LatencySeries.ClockRelation) -> LinkRun {
            LinkRun(
                link: link, how: "",
                steering: .series(
                    LatencyExamples.series((0..<50).map { _ in milliseconds }, rounds: 5, clock: clock)))
        }
        let both = [run("udp", 4, clock), run("tcp", 9, clock), run("ssh", 20, .same)]
        let ratios = LatencySummary(LatencyExamples.report(both)).conditions[0].ratios
        #expect(ratios.map(\.link) == ["tcp", "ssh"])
        #expect(ratios[0].clockInterval == .init(low: 8.0 / 5, high: 10.0 / 3))
        #expect(ratios[0].intervalText.hasSuffix("; clocks 1.60 to 3.33"))
        // Of the reference alone.
        #expect(ratios[1].clockInterval == .init(low: 20.0 / 5, high: 20.0 / 3))
        let same = LatencySummary(LatencyExamples.report([run("udp", 4, .same), run("tcp", 9, .same)])).conditions[0]
        #expect(same.ratios.map(\.clockInterval) == [nil])
    }
}
