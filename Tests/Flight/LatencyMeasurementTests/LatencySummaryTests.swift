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
        // Steering over ssh ends at the answer to a service call; telemetry has none to compare.
        #expect(ratios.map(\.kind) == [.command])
        let refused = summary.conditions[0].refusedRatios
        #expect(refused.map(\.kind) == [.steering] && refused.map(\.link) == ["ssh"])
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
        let both = [run("udp", 4, clock), run("tcp", 9, clock), run("ssh-tunnel", 20, .same)]
        let ratios = LatencySummary(LatencyExamples.report(both)).conditions[0].ratios
        #expect(ratios.map(\.link) == ["tcp", "ssh-tunnel"])
        #expect(ratios[0].clockInterval == .init(low: 8.0 / 5, high: 10.0 / 3))
        #expect(ratios[0].intervalText.hasSuffix("; clocks 1.60 to 3.33"))
        // Of the reference alone.
        #expect(ratios[1].clockInterval == .init(low: 20.0 / 5, high: 20.0 / 3))
        let same = LatencySummary(LatencyExamples.report([run("udp", 4, .same), run("tcp", 9, .same)])).conditions[0]
        #expect(same.ratios.map(\.clockInterval) == [nil])
    }

    @Test func `what does not end alike has no ratio, and the reason stands in each form`() throws {
        func run(_ link: String, _ milliseconds: Int64, isSeen: Bool = false) -> LinkRun {
            var series = LatencyExamples.series((0..<60).map { _ in milliseconds })
            series.endsAtSubscriber = isSeen
            return LinkRun(link: link, how: "", steering: .series(series))
        }
        // As with an older companion, which does not say when it has read its own setpoints.
        let links = [run("ssh", 900), run("ssh-shell", 450), run("udp", 2), run("tcp", 4), run("ros", 3, isSeen: true)]
        let result = LatencyResult(LatencyExamples.report(links + [run("ssh-persistent", 6, isSeen: true)]))
        let condition = result.summary.conditions[0]
        // Among those that end alike there are ratios.
        #expect(condition.ratios.map(\.link) == ["ssh", "tcp", "ssh-persistent"])
        #expect(condition.ratios.map(\.reference) == ["ssh-shell", "udp", "ros"])
        #expect(condition.ratios.map(\.ratio) == [2, 2, 2])
        #expect(condition.refusedRatios.map(\.link) == ["ssh", "ssh-shell", "ros", "ssh-persistent"])
        #expect(condition.refusedRatios.allSatisfy { $0.reference == "udp" && $0.kind == .steering })
        let text = result.table.text
        #expect(text.contains("tcp takes 2.00 times as long as udp ("))
        #expect(text.contains("from the scheduled instant to an end that is not the same for all links"))
        #expect(text.contains("udp and tcp: to the message written to the subscribers' sockets"))
        let shells =
            "no ratio of ssh and ssh-shell to udp: it would be of the answer to a service call on the ground (round trip), "
            + "and of the message written to the subscribers' sockets"
        #expect(text.contains(shells) && text.contains("no ratio of ros and ssh-persistent to udp: "))
        #expect(result.html.contains("no ratio of ssh and ssh-shell to udp: "))
        #expect(result.html.contains("<p>udp and tcp: to the message written to the subscribers"))
        #expect(result.json.text.contains("\"refused_ratios\": [{\"of\": \"steering\", \"link\": \"ssh\""))
        // Where the companion says it, all but the shells end alike.
        let same = [run("ssh", 900), run("udp", 2, isSeen: true), run("ros", 3, isSeen: true)]
        let alike = LatencySummary(LatencyExamples.report(same)).conditions[0]
        #expect(alike.ratios.map(\.link) == ["ros"] && alike.ratios.map(\.reference) == ["udp"])
        #expect(alike.refusedRatios.map(\.link) == ["ssh"])
    }

    @Test func `telemetry of another source, or from another beginning, has no ratio`() {
        func run(_ link: String, _ origin: TelemetryOrigin) -> LinkRun {
            var series = LatencyExamples.series((0..<60).map { _ in 5 })
            series.origin = origin
            return LinkRun(link: link, how: "", telemetry: .series(series))
        }
        let links = [
            run("ssh", .stamp), run("udp", .stamp), run("tcp", .receiptOnBoard(.noStamps)), run("ros", .stamp),
        ]
        let condition = LatencySummary(LatencyExamples.report(links)).conditions[0]
        #expect(condition.ratios.map(\.link) == ["ros"] && condition.refusedRatios.map(\.link) == ["ssh", "tcp"])
        #expect(condition.refusedRatios[0].reason.contains("estimation_manager/diagnostics"))
        #expect(condition.refusedRatios[1].reason.contains("from its receipt on board"))
    }

    @Test func `a ratio is of the rounds that both have, as its interval is`() throws {
        func run(_ link: String, _ series: LatencySeries) -> LinkRun {
            LinkRun(link: link, how: "", command: .series(series))
        }
        // In the later rounds, which udp has alone, everything takes ten times as long, and its median is of those.
        let long = LatencyExamples.series((0..<300).map { $0 < 120 ? 2 : 20 })
        var short = LatencyExamples.series((0..<120).map { _ in 6 })
        for index in short.samples.indices { short.samples[index].round = index / 10 }
        let links = [run("udp", long), run("ssh", short)]
        let ratio = try #require(LatencySummary(LatencyExamples.report(links)).conditions[0].ratios.first)
        #expect(ratio.ratio == 3 && ratio.interval == .init(low: 3, high: 3))
    }
}
