@testable import ModeKit
@testable import RouteKit
import MapTrajectoryMode
import Testing

@testable import TextScreen

/// The text beside a route on small terminals: what does not fit is continued or left out, and what is left out is marked.
@MainActor
@Suite("Text beside a route")
struct RoutePanelTests {
    /// The panel beside the map on a terminal of 80 columns.
    private func panel(_ state: RouteScreenState, rows: Int = 22) -> [String] {
        var canvas = Canvas(ScreenSize(rows: rows, columns: 29))
        RoutePanel(state: state, area: canvas.area).draw(on: &canvas)
        return canvas.lines
    }

    private func contains(_ lines: [String], _ text: String) -> Bool { lines.contains { $0.contains(text) } }

    @Test func `a finding that does not fit ends with a mark`() {
        // The panel has the rows that all of it needs, and two less.
        #expect(!contains(panel(MapSamples.failed.route), "…"))
        let lines = panel(MapSamples.failed.route, rows: 12)
        #expect(contains(lines, "the safety area after 31.2 …"), "\(lines)")
        #expect(contains(lines, "unknown; the battery was not …") || contains(lines, "unknown; the battery was …"))
    }

    @Test func `what is ready with warnings says so beside the map and below it`() {
        var state = RouteScreenState()
        state.stage = .ready
        #expect(panel(state)[0] == "ready to send")
        for (count, text) in [(1, "ready to send, 1 warning"), (2, "ready to send, 2 warnings")] {
            state.findings = (0..<count).map { FindingLine(text: "doubt \($0)", isFailure: false) }
            #expect(panel(state)[0] == text)
            var canvas = Canvas(ScreenSize(rows: 3, columns: 60))
            RouteStatusLines(state).draw(on: &canvas, in: canvas.area)
            #expect(canvas.lines[0].hasPrefix(text))
        }
    }

    @Test func `what was not checked is no pass beside the map and below it`() {
        var state = RouteScreenState()
        state.findings = [FindingLine(text: "the safety area is unknown; it was not checked", isFailure: false)]
        state.exceptions = "safety area, battery not checked"
        for (stage, text) in [
            (RouteStage.ready, "ready to send, except: safety area, battery not checked"),
            (.onGround, "ready, except: safety area, battery not checked; take off to send"),
            (.notInFlight, "ready, except: safety area, battery not checked; not in flight"),
            (.checked, "ready, except: safety area, battery not checked; no vehicle"),
            (.refused, "ready, except: safety area, battery not checked; not taken now (e: why)"),
            (.byOther, "ready, except: safety area, battery not checked; another pilot has control"),
            (.failed, "a check failed"), (.sent, "on the vehicle"),
            (.sentFailing, "on the vehicle; a check fails"), (.flownFailing, "flown; a check fails"),
        ] {
            state.stage = stage
            let lines = panel(state)
            #expect(lines.joined(separator: " ").hasPrefix(text), "\(lines)")
            var canvas = Canvas(ScreenSize(rows: 3, columns: 80))
            RouteStatusLines(state).draw(on: &canvas, in: canvas.area)
            #expect(canvas.lines[0].hasPrefix(text))
        }
    }

    @Test func `where a check failed it says what is missing besides, beside the map and below it`() {
        var state = RouteScreenState()
        state.findings = [FindingLine(text: "point 2: outside the safety area", isFailure: true)]
        (state.stage, state.missing) = (.failed, "take off to send")
        #expect(panel(state).joined(separator: " ").hasPrefix("a check failed; take off to send"))
        var canvas = Canvas(ScreenSize(rows: 3, columns: 80))
        RouteStatusLines(state).draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines[0].hasPrefix("a check failed; take off to send ✗ point 2"))
    }

    @Test func `findings that have no space are counted, with the key that shows them`() {
        var state = RouteScreenState()
        state.plan = (1...6).map { LabeledValue("value \($0)", "that fills a line of its own") }
        state.cursorLines = ["1.00 m E, 2.00 m N"]
        state.findings = (1...5).map { index in
            FindingLine(text: "finding \(index) " + String(repeating: "word ", count: 12), isFailure: index == 1)
        }
        let lines = panel(state)
        let shown = lines.count { $0.contains("finding ") }
        #expect((2..<5).contains(shown), "\(lines)")
        #expect(contains(lines, "\(5 - shown) more: n"), "\(lines)")
        // With space for all of them nothing is counted.
        #expect(!contains(panel(state, rows: 80), "more: n"))
    }

    @Test func `a finding has the rows that are left below it`() {
        var state = MapSamples.planned.route
        let text = (1...20).map { "word\($0)" }.joined(separator: " ")
        state.findings = [FindingLine(text: text, isFailure: true)]
        // With all of it the list of points does not fit, without that list all of it does.
        let whole = (10...40).first { contains(panel(state, rows: $0), "word20") } ?? 0
        let lines = panel(state, rows: whole)
        #expect(!contains(lines, "…") && !contains(lines, "─ points"), "\(lines)")
    }

    @Test func `where there is room, a finding is shown whole`() {
        var state = RouteScreenState()
        let text = (1...12).map { "word\($0)" }.joined(separator: " ")
        state.findings = [FindingLine(text: text, isFailure: true)]
        let lines = panel(state)
        #expect(contains(lines, "word12") && !contains(lines, "…"), "\(lines)")
        #expect(contains(panel(state, rows: 4), "…"))
    }

    @Test func `a value that does not fit is continued, and a number stays beside its unit`() {
        var state = RouteScreenState()
        state.plan = [LabeledValue("battery", "needs 2 %, left unknown", isWarning: true)]
        state.trackError = [LabeledValue("at same time", "mean 0.08, max 0.24 m")]
        // With a line for each value, and with several in a line.
        for rows in [22, 4] {
            let lines = panel(state, rows: rows)
            #expect(contains(lines, "needs 2 %,") && contains(lines, "left unknown !"), "\(lines)")
            #expect(!contains(lines, "…"), "\(lines)")
        }
        #expect(contains(panel(state), "mean 0.08,") && contains(panel(state), "max 0.24 m"))
    }

    @Test func `the layer of the cursor is shown without its number of points where that does not fit`() {
        var state = RouteScreenState()
        state.cursorLines = ["layer 3 of 10: 0.60 to 0.90 m, 1 717 points"]
        let lines = panel(state)
        #expect(contains(lines, "layer 3 of 10: 0.60 to 0.90 m") && !contains(lines, "…") && !contains(lines, "717"))
    }

    @Test func `below a map without a panel, the stage is continued in a second line, and is in the help too`() {
        var state = RouteScreenState()
        (state.stage, state.exceptions) = (.onGround, "safety area, battery not checked")
        state.findings = [FindingLine(text: "the safety area is unknown; it was not checked", isFailure: false)]
        state.plan = [LabeledValue("length", "27.5 m"), LabeledValue("time", "10.3 s")]
        let stage = "ready, except: safety area, battery not checked; take off to send"
        func lines(_ columns: Int) -> [String] {
            var canvas = Canvas(ScreenSize(rows: 3, columns: columns))
            RouteStatusLines(state).draw(on: &canvas, in: canvas.area)
            return canvas.lines
        }
        // Terminals of 60x15 and 40x12; the last line is the map's own.
        for columns in [60, 40] {
            let whole = lines(columns)[0...1].joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(whole.hasPrefix(stage) && lines(columns)[2].isEmpty, "\(lines(columns))")
        }
        state.point = [LabeledValue("z", "8.0 m")]
        #expect(lines(60)[0].hasSuffix(" …") && lines(60)[1] == "z 8.0 m", "\(lines(60))")
        let details = RouteStatusLines(state).details
        #expect(details.first?.action == stage)
        #expect(details.contains(KeyHelp("!", "the safety area is unknown; it was not checked")))
        #expect(details.contains(KeyHelp("z", "8.0 m")) && details.contains(KeyHelp("time", "10.3 s")))
        state.exceptions = ""
        state.point = []
        #expect(lines(60)[1] == "length 27.5 m  time 10.3 s", "\(lines(60))")
    }

    @Test func `without a panel the finding ends with a mark, and values that do not fit are left out`() {
        var canvas = Canvas(ScreenSize(rows: 3, columns: 60))
        RouteStatusLines(MapSamples.failed.route).draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines[0].contains("a check failed ✗ point 2: the way leaves the safety area"))
        #expect(canvas.lines[0].contains(" …"))
        #expect(canvas.lines[1].contains("east, north -40.0, 35.0 m  z 8.0 m") && !canvas.lines[1].contains("…"))
    }
}
