import LatencyMeasurement
import LatencyOutput
import LatencyStatistics
import LatencyTestKit
import ReportKit
import Testing
import UAVLink

@Suite struct LatencyOutputTests {
    private let result = LatencyResult(
        LatencyExamples.report(LatencyExamples.twoLinks, impairment: "delay=1ms,loss=2%"))

    private func member(_ key: String, of value: JSONValue) -> JSONValue? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    @Test func `scripts find the links, their kinds, counts and percentiles`() throws {
        guard case .array(let links)? = member("links", of: result.json) else {
            Issue.record("no links")
            return
        }
        #expect(links.compactMap { member("link", of: $0) } == ["ssh", "udp"])
        let steering = try #require(member("steering", of: links[1]))
        #expect(member("count", of: steering) == 6000)
        #expect(member("rounds", of: steering) == 30 && member("age_p99_ms", of: steering) != nil)
        #expect(member("p50_ms", of: steering) == 2.0 && member("p99_ms", of: steering) == 4.0)
        #expect(member("p99_9_ms", of: steering) == 4.0 && member("p99_99_ms", of: steering) == nil)
        let clock = try #require(member("clock", of: steering))
        #expect(member("bound_ms", of: clock) == 0.5 && member("offset_ms", of: clock) == -3.0)
        #expect(member("means_something", of: clock) == true)
        let absent = try #require(member("telemetry", of: links[0]))
        #expect(member("count", of: absent) == 0 && member("absent", of: absent) == "rostopic echo has no stamps")
    }

    @Test func `of a simulated vehicle everything says that it is one, and shows no stage in ROS`() throws {
        var report = LatencyExamples.report([
            LinkRun(
                link: "udp", how: "",
                steering: .series(LatencyExamples.series([5, 6]) { StageTimes(whole: $0, known: [.ros: $0 / 2]) }))
        ])
        let real = LatencyResult(report)
        #expect(member("simulated", of: real.json) == false && real.table.text.contains("ROS 2.7"))
        #expect(real.html.contains("<h1>Latency of uav1</h1>"))
        report.isSimulated = true
        let result = LatencyResult(report)
        #expect(member("simulated", of: result.json) == true)
        guard case .array(let links)? = member("links", of: result.json), let link = links.first else {
            Issue.record("no links")
            return
        }
        let steering = try #require(member("steering", of: link))
        let stages = try #require(member("stages_mean_ms", of: steering))
        #expect(member("ros", of: stages) == nil && member("simulated_vehicle", of: stages) == 2.75)
        #expect(result.html.contains("<h1>Latency of uav1 (simulated)</h1>"))
        #expect(result.table.text.contains("vehicle: uav1 (simulated)"))
        #expect(!result.table.text.contains("ROS"), "\(result.table.text)")
    }

    @Test func `a run of few rounds is marked as a first answer in each form`() {
        #expect(member("first_answer", of: result.json) == .null)
        #expect(!result.table.text.contains("first answer") && !result.html.contains("first answer"))
        let few = LatencyExamples.series(LatencyExamples.staircase(40), rounds: 4)
        let first = LatencyResult(LatencyExamples.report([LinkRun(link: "udp", how: "", command: .series(few))]))
        #expect(first.table.text.hasPrefix("a first answer, not for publication: "))
        #expect(first.html.contains("<p class=\"note\">a first answer, not for publication: "))
        #expect(member("first_answer", of: first.json) == first.summary.firstAnswer.map { .string($0) })
    }

    @Test func `a file of samples has a line each, and quotes what has a comma`() {
        var text = ""
        LatencyCSV.write(result.report) { text += $0 }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 1 + 40 + 20 + 400 + 6000 + 3000 + 30)
        #expect(
            lines[0]
                == "impairment,link,series,round,sequence,cold,fate,intended_ns,received_ns,latency_ns,clock_bound_ns,queue_ns,encode_ns,network_ns,receive_ns,start_up_ns,companion_ns,ros_ns"
        )
        #expect(
            lines[1]
                == "\"delay=1ms,loss=2%\",ssh,command,0,0,0,delivered,0,900000000,900000000,0,0,0,449000000,0,450000000,0,1000000"
        )
        #expect(lines[41].hasSuffix(",ssh,steering,0,0,0,delivered,0,950000000,950000000,0,,,,,,,"))
        #expect(lines[461].contains(",udp,steering,0,0,0,delivered,0,1000000,1000000,500000,"))
    }

    @Test func `a value that never came is an empty field`() {
        var text = ""
        let run = LinkRun(link: "udp", how: "", steering: .series(LatencyExamples.series([nil])))
        LatencyCSV.write(LatencyExamples.report([run])) { text += $0 }
        #expect(text.hasSuffix("none,udp,steering,0,0,0,lost,0,,,0,,,,,,,\n"))
    }

    @Test func `what arrived in vain has its fate, the instant and its bound`() {
        var series = LatencyExamples.series(
            [nil, nil, 3, nil], rounds: 1, clock: .measured(offsetNanoseconds: 5, boundNanoseconds: 70))
        series.samples[0].fate = .late
        series.samples[0].uselesslyReceivedNanoseconds = 600_000_000
        series.samples[0].clockBoundNanoseconds = 40
        series.samples[1].fate = .superseded
        // It has a latency, so it was delivered whatever was said before.
        series.samples[2].fate = .late
        var text = ""
        LatencyCSV.write(LatencyExamples.report([LinkRun(link: "udp", how: "", steering: .series(series))])) {
            text += $0
        }
        let fields = text.split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)[4...10].joined(separator: ",")
        }
        #expect(
            fields == [
                "0,0,late,0,600000000,,40", "1,0,superseded,10000000,,,", "2,0,delivered,20000000,23000000,3000000,70",
                "3,0,lost,30000000,,,",
            ])
    }

    @Test func `JSON has each round for itself, and every exchange of timestamps`() throws {
        let run = LinkRun(link: "udp", how: "", steering: .series(LatencyExamples.series([1, 3, nil, nil], rounds: 2)))
        var report = LatencyExamples.report([run])
        report.clockExchanges = [.init(at: 2_000_000, offset: -5_000_000, roundTrip: 100_000, held: 500_000)]
        let json = LatencyResult(report).json
        guard case .array(let links)? = member("links", of: json), let link = links.first,
            let steering = member("steering", of: link)
        else { throw LinkError(.internalFault, "no steering") }
        #expect(
            member("by_round", of: steering) == [
                ["round": 0, "intended": 2, "lost": 0, "p50_ms": 1.0, "max_ms": 3.0],
                ["round": 1, "intended": 2, "lost": 2, "p50_ms": "lost", "max_ms": nil],
            ])
        let exchanges = try #require(member("clock_exchanges", of: json))
        #expect(member("rows", of: exchanges) == [[2.0, -5.0, 0.1, 0.5]])
    }

    @Test func `a percentile among the lost ones is written as lost everywhere`() throws {
        let run = LinkRun(
            link: "udp", how: "",
            steering: .series(LatencyExamples.series((0..<300).map { $0 % 20 == 0 ? nil : 5 }, rounds: 1)))
        let result = LatencyResult(LatencyExamples.report([run]))
        guard case .array(let links)? = member("links", of: result.json), let link = links.first else {
            Issue.record("no links")
            return
        }
        let steering = try #require(member("steering", of: link))
        #expect(member("p50_ms", of: steering) == 5.0 && member("p99_ms", of: steering) == "lost")
        #expect(member("lost", of: steering) == 15)
        let periods = try #require(member("loss_periods", of: steering))
        #expect(member("count", of: periods) == 15 && member("longest", of: periods) == 1)
        #expect(member("distance_p50", of: periods) == 20)
        #expect(result.html.contains("<td>lost</td>"))
        #expect(result.table.text.contains("15 loss periods of 1.0 on average, at most 1 in a row"))
    }

    @Test func `where only what arrived is known, nothing is said of losses`() throws {
        var series = LatencyExamples.series((0..<60).map { _ in 5 })
        series.traffic = .init(intended: 60, sent: 60)
        let counted = LinkRun(link: "udp", how: "", telemetry: .series(series))
        series.hasArrivalsOnly = true
        let result = LatencyResult(
            LatencyExamples.report([counted, LinkRun(link: "ros", how: "", telemetry: .series(series))]))
        let rows = result.table.text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        let (udp, ros) = (
            try #require(rows.first { $0.first == "udp" }), try #require(rows.first { $0.first == "ros" })
        )
        #expect(ros.contains("?") && !ros.contains("%") && udp.contains("%") && !udp.contains("?"))
        guard case .array(let links)? = member("links", of: result.json), links.count == 2 else {
            Issue.record("no links")
            return
        }
        let telemetry = try links.map { try #require(member("telemetry", of: $0)) }
        for key in ["intended", "sent", "lost", "loss_periods"] {
            #expect(member(key, of: telemetry[0]) != .null && member(key, of: telemetry[1]) == .null, "\(key)")
        }
    }

    @Test func `a histogram has no first sample of a turn, as the other figures have none`() {
        var series = LatencyExamples.series([90, 5, 5], rounds: 1)
        series.samples[0].isCold = true
        let run = LinkRun(link: "udp", how: "", command: .series(series))
        let warm = LinkRun(link: "udp", how: "", command: .series(LatencyExamples.series([5, 5], rounds: 1)))
        func histogram(_ run: LinkRun) -> Substring? {
            LatencyResult(LatencyExamples.report([run])).hdr.split(separator: "\n").last.flatMap {
                $0.split(separator: ",").last
            }
        }
        #expect(histogram(run) != nil && histogram(run) == histogram(warm))
    }

    @Test func `every series is a histogram of its own name`() {
        let tags = result.hdr.split(separator: "\n").filter { $0.hasPrefix("Tag=") }
        #expect(tags.count == 6)
        #expect(tags[0].hasPrefix("Tag=delay=1ms_loss=2%/ssh/command,0.000,39.000,1095."))
    }

    @Test func `a user reads the table, the bound, the ratio and the answer`() {
        let text = result.table.text
        #expect(text.contains("condition: delay=1ms,loss=2%"))
        #expect(text.contains("±0.500"))
        #expect(text.contains("ssh takes 331.67 times as long as udp"))
        #expect(text.contains("ssh: rostopic echo has no stamps"))
        #expect(text.contains("ssh, mean by stage: network"))
        #expect(text.contains("Can I fly this? Yes: manual steering over udp."))
        #expect(text.contains("warning: the machine was busy"))
    }

    @Test func `clocks that were not compared make the figures not meaningful`() {
        let run = LinkRun(
            link: "udp", how: "", steering: .series(LatencyExamples.series((0..<50).map { _ in 4 }, clock: .unknown)))
        let text = LatencyResult(LatencyExamples.report([run])).table.text
        #expect(text.contains("unknown: the values are not meaningful"))
    }
}
