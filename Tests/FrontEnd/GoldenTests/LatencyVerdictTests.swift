@testable import LatencyLabMode
@testable import ModeKit
import LatencyMeasurement
import LatencyOutput
import Testing

@testable import TextScreen

/// What the page with the verdict says of short and of interrupted measurements, and which keys the pages of the results offer.
@MainActor
@Suite("The latency laboratory's verdict and footer")
struct LatencyVerdictTests {
    private static let interrupted = "interrupted: the report has what was measured until then"

    /// A quick link with a setpoint every 30 ms, so that a minute of them is 2000.
    private func shown(_ count: Int, isInterrupted: Bool = false) -> LatencyLabResult {
        let samples = (0..<count).map {
            LatencySample(number: $0, intendedNanoseconds: Int64($0) * 30_000_000, nanoseconds: 2_000_000)
        }
        let series = LatencySeries(
            samples: samples, traffic: .init(intended: count, sent: count), intendedHertz: 100.0 / 3,
            achievedHertz: 100.0 / 3)
        let link = LinkRun(link: "udp", how: "", command: .series(series), steering: .series(series))
        let report = LatencyReport(
            vehicle: "uav1", commandLine: "uavlink latency", beganSeconds: 1_700_000_000, lengthSeconds: 3, seed: 1,
            conditions: [ConditionRun(impairment: "none", links: [link])],
            notes: isInterrupted ? [Self.interrupted] : [])
        return LatencyLabResult(id: 1, LatencyResult(report))
    }

    private func reading(_ shown: LatencyLabResult, _ page: LatencyLabPage) -> LatencyLabScreenState {
        var state = LatencyLabScreenState()
        state.phase = .reading
        var results = LatencyResultsState(shown)
        results.page = page
        results.kinds = [.command, .steering]
        results.comparison = LatencyTableSection.conditions(shown.result, .steering)
        state.results = results
        return state
    }

    private func screen(_ state: LatencyLabScreenState, rows: Int = 24) -> (screen: LatencyLabScreen, lines: [String]) {
        let screen = LatencyLabScreen { _ in }
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: rows, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return (screen, canvas.lines)
    }

    @Test func `the table of conditions says where there was not enough data`() {
        for (count, word) in [(1900, "not enough data"), (2000, "sticks")] {
            let table = LatencyTableSection.conditions(shown(count).result, .steering).last
            #expect(table?.columns.last?.cells == [word])
        }
    }

    @Test func `an interruption stands above the verdict`() throws {
        let lines = screen(reading(shown(2000, isInterrupted: true), .verdict)).lines
        let note = try #require(lines.firstIndex { $0.contains(Self.interrupted) })
        let verdict = try #require(lines.firstIndex { $0.contains("Can I fly this? Yes") })
        #expect(note < verdict)
        let short = screen(reading(shown(150, isInterrupted: true), .verdict)).lines
        #expect(short.contains { $0.contains("Can I fly this? Not enough data of udp") })
        #expect(short.contains { $0.contains("? udp: not enough data (4.5 s of steering") })
        #expect(!short.contains { $0.contains("Yes") || $0.contains("joystick:") })
    }

    @Test func `on the narrowest terminal figures are shown without scrolling`() {
        func lines(_ state: LatencyLabScreenState) -> [String] {
            let screen = LatencyLabScreen { _ in }
            screen.show(state)
            var canvas = Canvas(ScreenSize(rows: 8, columns: 40))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            return canvas.lines
        }
        for state in [LatencyLabSamples.reading(.table), LatencyLabSamples.measuring] {
            let shown = lines(state)
            #expect(shown.contains { $0.contains("tcp ") } && shown.contains { $0.contains("p50") }, "\(shown)")
        }
        var results = LatencyLabSamples.reading(.table)
        results.results?.scroll = 3
        #expect(lines(results).contains { $0.contains("from the call") }, "\(lines(results))")
    }

    @Test func `a high strip of the page of time has labels between the ends of its scale`() {
        let lines = screen(reading(shown(2000), .time)).lines.drop { !$0.hasPrefix("│ udp") }
        let labels = lines.compactMap { $0.dropFirst(2).prefix(15).split(separator: " ").last.flatMap { Int($0) } }
        #expect(labels == [20, 10, 5, 2], "\(lines)")
    }

    @Test func `the file that is being written, or was saved, stands in the frame`() {
        var state = reading(shown(2000), .table)
        state.results?.savedAs = "old.html"
        #expect(screen(state).lines[0].contains("saved to old.html"))
        state.results?.writing = "new.html"
        #expect(screen(state).lines[0].contains("writing new.html ..."))
    }

    @Test func `saving and measuring again come first, and what does nothing on the page is left out`() {
        for page in LatencyLabPage.allCases {
            let one = screen(reading(shown(2000), page)).screen.keys.map(\.keys)
            let several = screen(LatencyLabSamples.reading(page)).screen.keys.map(\.keys)
            let hasKinds = page != .table && page != .verdict
            for keys in [one, several] {
                #expect(keys.prefix(3) == ["w", "n Esc", "Tab 1-6"], "\(page)")
                #expect(keys.contains("m") == hasKinds, "\(page)")
            }
            #expect(!one.contains("← →"))
            #expect(several.contains("← →") == (page != .conditions))
        }
        let tall = screen(LatencyLabSamples.reading(.verdict), rows: 60).screen
        #expect(!tall.keys.contains { $0.keys == "↑ ↓" || $0.keys == "PgUp PgDn" })
        let low = screen(LatencyLabSamples.reading(.verdict)).screen
        #expect(low.keys.contains { $0.keys == "↑ ↓" } && low.keys.contains { $0.keys == "PgUp PgDn" })
    }

    @Test func `while it measures, the key that ends it comes first`() {
        var state = LatencyLabSamples.measuring
        #expect(screen(state).screen.keys.first == KeyHelp("Esc x", "end, keep results"))
        state.progress.isEnding = true
        #expect(screen(state).screen.keys.map(\.keys) == ["Esc"])
    }
}
