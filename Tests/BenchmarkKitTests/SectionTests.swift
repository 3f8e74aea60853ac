import BenchmarkKit
import ReportKit
import Statistics
import Testing

@Suite("Reports of benchmarks") struct SectionTests {
    private var section: Section {
        let run = Timings(
            latencies: Array(repeating: 2_060_000, count: 6), lateness: Array(repeating: 60_000, count: 6))
        let call = Timings(latencies: Array(repeating: 9_000_000, count: 6))
        let start = Timings(latencies: Array(repeating: 7_000_000, count: 6))
        var section = Section(key: "command", title: "Command")
        section.notes = ["a note"]
        section.rows = [
            .init("uavlink", "uavlink", RunSeries([run, run])),
            .init(
                "program", "a program", RunSeries([call, call]), startsProcess: true, start: RunSeries([start, start])),
        ]
        section.figures = [
            Figure("median", section.series("uavlink"), over: section.series("program"), at: .p50, limit: .atMost(1))
        ]
        return section
    }

    @Test func `the text has lateness, runs, and the start of a process apart`() {
        let text = section.text
        #expect(text.contains("between runs") && text.contains("late: median"))
        #expect(text.contains("spread 2.06 ms to 2.06 ms") && text.contains("60.0 us"))
        #expect(
            text.contains(
                "a program: each starts a process; the start alone 7.00 ms (spread 7.00 ms to 7.00 ms), the rest 2.00 ms (spread 2.00 ms to 2.00 ms)"
            ), "\(text)")
        // Six are too few for p90.
        #expect(text.split(separator: "\n").contains { $0.contains("uavlink") && $0.contains(" - ") })
        #expect(text.contains("lowest and highest of 2 runs"))
    }

    @Test func `the median is that over runs, and what remains of a process start is formed run by run`() {
        func runs(_ milliseconds: [(count: Int, each: Int64)]) -> RunSeries {
            RunSeries(milliseconds.map { Timings(latencies: Array(repeating: $0.each * 1_000_000, count: $0.count)) })
        }
        var section = Section(key: "command", title: "Command")
        // Together most operations take 90 ms, and of three runs two 10 ms. Calls and starts are slow in the same run.
        section.rows = [
            .init(
                "program", "a program", runs([(6, 10), (60, 90), (6, 12)]), startsProcess: true,
                start: runs([(6, 4), (6, 87), (6, 5)]))
        ]
        let row = section.text.split(separator: "\n").first { $0.contains("a program") }
        #expect(row?.contains("12.00 ms") == true && row?.contains("spread 10.00 ms to 90.00 ms") == true)
        #expect(section.text.contains("the start alone 5.00 ms"))
        #expect(section.text.contains("the rest 6.00 ms (spread 3.00 ms to 7.00 ms)"), "\(section.text)")
        #expect(section.json.text.contains(#""rest_between_runs_ms": {"value": 6, "by_run": [6, 3, 7]"#))
    }

    @Test func `JSON has all of it`() {
        let json = section.json.text
        for part in [
            #""runs": 2"#, #""p99_ms": null"#, #""from_call_p50_ms": 2,"#, #""lateness": {"p50_ms": 0.06"#,
            #""lateness_p50_ms_by_run": [0.06, 0.06]"#, #""starts_process": true"#,
            #""process_start": {"p50_ms": 7"#, #""median_between_runs_ms": {"value": 2.06, "by_run": [2.06, 2.06]"#,
            #""range": {"low": 2.06, "high": 2.06}"#, #""undecided": false"#, #""from_call": {"value": 0."#,
        ] {
            #expect(json.contains(part), "\(part) in \(json)")
        }
    }
}
