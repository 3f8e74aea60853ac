import LatencyLabMode
import ModeKit
import ModeTestKit
import Impairment
import UAVLink
import FlightControl
import LatencyMeasurement
import LatencyTestKit
import Testing
import UAVTestKit

/// Reading the results.
extension LatencyLabTests {
    // MARK: Reading

    func read() async -> LatencyLabBench {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        var report = Self.report
        let second = LinkRun(link: "udp", how: "", command: .series(LatencyExamples.series([1, 2, 3])))
        report.conditions.append(ConditionRun(impairment: "loss=2%", links: [second]))
        bench.measuring.end(.success(report))
        #expect(await becomesTrue { bench.state.phase == .reading })
        return bench
    }

    @Test func `pages, conditions and kinds go round; what a condition lacks is not shown`() async {
        let bench = await read()
        #expect(bench.state.results?.page == .table && bench.state.results?.kind == .steering)
        #expect(bench.state.results?.table.map(\.title) == ["command", "steering", "telemetry", "motion"])
        bench.send(.nextPage(-1))
        #expect(bench.state.results?.page == .conditions)
        let sections = bench.state.results?.comparison ?? []
        #expect(sections.map(\.title) == ["steering", "good for"])
        #expect(sections.first?.columns.map(\.group) == ["", "1", "1", "1", "2", "2", "2"])
        #expect(sections.last?.columns.map(\.cells) == [["ssh", "udp"], ["commands", "sticks"], ["", "commands"]])
        #expect(sections.last?.notes == ["1 delay=5ms", "2 loss=2%"])
        bench.send(.nextPage(1), .nextPage(1), .nextKind(1))
        #expect(bench.state.results?.page == .distribution && bench.state.results?.kind == .telemetry)
        bench.send(.nextCondition(-1))
        #expect(bench.state.results?.condition == 1 && bench.state.results?.kind == .command)
        #expect(bench.state.results?.kinds == [.command] && bench.state.results?.table.map(\.title) == ["command"])
        bench.send(.nextKind(1), .nextCondition(1))
        #expect(bench.state.results?.condition == 0 && bench.state.results?.kind == .command)
        bench.send(.resize(rows: 12, columns: 60), .page(.verdict), .scroll(3), .scroll(100))
        let end = bench.state.results?.scroll ?? 0
        #expect(end > 3)
        bench.send(.scroll(1))
        #expect(bench.state.results?.scroll == end)
        bench.send(.resize(rows: 10, columns: 60), .scroll(100))
        #expect(bench.state.results?.scroll == end + 2)
        bench.send(.scroll(-100))
        #expect(bench.state.results?.scroll == 0)
        bench.instance.detach()
    }

    @Test func `the table leaves out percentiles for which no link has values enough, and says what failed`() async {
        let bench = await read()
        let tables = bench.state.results?.table ?? []
        #expect(
            tables.first?.columns.map(\.title) == [
                "link", "count", "rounds", "n_eff", "min", "mean", "p50", "p90", "p99", "max", "PDV p99", "lost", "Hz",
            ])
        #expect(tables.dropFirst().first?.columns.last?.cells == ["same", "±0.500"])
        #expect(tables.dropFirst(2).first?.notes.contains { $0.contains("ssh: rostopic echo has no stamps") } == true)
        bench.instance.detach()
    }

    @Test(arguments: [("a.html", "<!doctype html>"), ("b.json", "{"), ("c.csv", "impairment,link"), ("d.hdr", "#")])
    func `what came out is written as the name says`(_ name: String, _ begins: String) async {
        let bench = await read()
        bench.send(.save, .answer(name))
        #expect(await becomesTrue { bench.files[name] != nil })
        #expect(bench.files[name]?.lowercased().hasPrefix(begins) == true)
        #expect(await becomesTrue { bench.state.results?.savedAs == name })
        #expect(bench.stage.notices.last == Notice(.success, "written to \(name)"))
        bench.instance.detach()
    }

    @Test func `a file that is there is kept unless the user says otherwise`() async {
        let bench = await read()
        bench.files["a.html"] = "mine"
        bench.send(.save, .answer("a.txt"))
        #expect(bench.state.prompt?.note.contains(".html, .json, .csv, .hdr") == true)
        bench.send(.answer("a.html"))
        #expect(await becomesTrue { bench.state.confirmation != nil })
        // Nothing is being written while that is asked, or after a no.
        #expect(bench.state.results?.writing == "")
        bench.send(.decline)
        #expect(bench.files["a.html"] == "mine" && bench.state.confirmation == nil)
        #expect(bench.state.results?.writing == "")
        #expect(!bench.stage.notices.contains { $0.text.contains("writing") })
        bench.send(.save, .answer("a.html"))
        #expect(await becomesTrue { bench.state.confirmation != nil })
        bench.send(.confirm)
        #expect(bench.state.results?.writing == "a.html")
        #expect(await becomesTrue { bench.files["a.html"] != "mine" })
        #expect(await becomesTrue { bench.state.results?.writing == "" })
        bench.instance.detach()
    }

    @Test func `a file that cannot be written keeps its name in the prompt`() async {
        let bench = await read()
        bench.send(.save, .answer("/nodir/a.html"))
        #expect(await becomesTrue { bench.state.prompt?.note.contains("No such file") == true })
        #expect(bench.state.prompt?.kind == .path && bench.state.prompt?.text == "/nodir/a.html")
        #expect(bench.state.results?.writing == "" && bench.stage.notices.last?.weight == .error)
        bench.instance.detach()
    }

    @Test func `results that are in no file are replaced only after a question`() async {
        let bench = await read()
        #expect(bench.desk.hasUnsavedResult)
        bench.send(.newMeasurement, .start)
        #expect(bench.state.confirmation?.title == "Measure again?" && bench.state.phase == .choosing)
        bench.send(.decline, .showResults, .save, .answer("a.html"))
        #expect(await becomesTrue { bench.state.results?.savedAs == "a.html" })
        #expect(!bench.desk.hasUnsavedResult)
        bench.send(.newMeasurement, .start)
        #expect(bench.state.confirmation == nil && bench.state.phase == .measuring)
        bench.instance.detach()
    }

    @Test func `the example of a condition fits the narrowest terminal, and no word is broken there`() throws {
        let bench = LatencyLabBench()
        bench.send(.typeCondition)
        let prompt = try #require(bench.state.prompt)
        // 40 columns, without frame and margins.
        #expect("for example: \(prompt.hint)".count <= 36)
        #expect(try Impairment(prompt.hint).loss == 0.02)
        #expect(prompt.about.split(separator: " ").allSatisfy { $0.count <= 36 })
        for part in prompt.about.split(separator: " ").filter({ $0.contains("=") }) {
            _ = try Impairment(String(part.last == "," ? part.dropLast() : part))
        }
        bench.instance.detach()
    }

    @Test func `the last results and the choices stay when the screen is left`() async {
        let bench = await read()
        bench.send(.newMeasurement)
        #expect(bench.state.phase == .choosing && bench.state.setup.hasResults)
        bench.send(.showResults)
        #expect(bench.state.phase == .reading)
        bench.send(.newMeasurement, .typeCondition, .answer("loss=9%"))
        #expect(bench.desk.choices?.conditions.last?.impairment.loss == 0.09)
        bench.instance.detach()
    }

    @Test func `a size is no choice: another vehicle's defaults are offered when nothing was chosen`() async {
        let bench = LatencyLabBench()
        bench.send(.resize(rows: 40, columns: 120))
        #expect(bench.desk.choices == nil)
        bench.send(.typeCondition)
        #expect(bench.desk.choices != nil)
        bench.instance.detach()
    }
}
