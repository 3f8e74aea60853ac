import LatencyMeasurement
import LatencyTestKit
import ReportKit
import Testing

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

    @Test func `a file of samples has a line each, and quotes what has a comma`() {
        var text = ""
        LatencyCSV.write(result.report) { text += $0 }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 1 + 40 + 20 + 400 + 6000 + 3000 + 30)
        #expect(
            lines[0]
                == "impairment,link,series,number,intended_ns,latency_ns,clock_bound_ns,queue_ns,encode_ns,network_ns,start_up_ns,companion_ns,ros_ns,round,cold"
        )
        #expect(
            lines[1]
                == "\"delay=1ms,loss=2%\",ssh,command,0,0,900000000,0,0,0,449000000,450000000,0,1000000,0,0")
        #expect(lines[41].hasSuffix(",ssh,steering,0,0,950000000,0,,,,,,,0,0"))
        #expect(lines[461].contains(",udp,steering,0,0,1000000,500000,"))
    }

    @Test func `a value that never came is an empty field`() {
        var text = ""
        let run = LinkRun(link: "udp", how: "", steering: .series(LatencyExamples.series([nil])))
        LatencyCSV.write(LatencyExamples.report([run])) { text += $0 }
        #expect(text.hasSuffix("none,udp,steering,0,0,,0,,,,,,,0,0\n"))
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
