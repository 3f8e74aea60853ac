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
                "a program: each starts a process; the start alone 7.00 ms (spread 7.00 ms to 7.00 ms), the rest 2.00 ms"
            ), "\(text)")
        // Six are too few for p90.
        #expect(text.split(separator: "\n").contains { $0.contains("uavlink") && $0.contains(" - ") })
        #expect(text.contains("lowest and highest of 2 runs"))
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
