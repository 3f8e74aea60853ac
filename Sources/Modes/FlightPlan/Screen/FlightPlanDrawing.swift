internal import ModeKit
internal import ReportKit
internal import TextScreen
internal import UAVLink

/// Draws the lines and lists of the mode.
struct FlightPlanDrawing {
    private let state: FlightPlanScreenState

    init(_ state: FlightPlanScreenState) { self.state = state }

    /// The present state with those that can follow it, and the flight, or the plan.
    func drawHead(on canvas: inout Canvas, in area: ScreenArea) {
        if let states = state.states {
            let start = "● \(states.present.name)"
            canvas.write(start, row: 0, column: 1, in: area, .title)
            let rest = states.next.isEmpty ? "" : "→ \(states.next.joined(separator: ", "))"
            canvas.write(
                rest.shortened(to: max(0, area.columns - start.cells - 4)), row: 0, column: start.cells + 2, in: area,
                .muted)
        }
        let (text, style) = second
        canvas.write(text.shortened(to: max(0, area.columns - 2)), row: 1, column: 1, in: area, style)
    }

    /// The second line: the flight, or the plan.
    var second: (String, Style) {
        if state.obstacle != nil { return ("", .plain) }
        if let flight = state.flight {
            let tone: Tone =
                switch flight.phase {
                case .flying: .accent
                case .paused, .ended: .warning
                case .flown: .good
                case .failed: .danger
                }
            return ("the plan \(flight.words)", .tone(tone))
        }
        if state.name.isEmpty { return ("no plan is open", .muted) }
        return state.isOK ? (state.summary, .plain) : ("cannot be flown: \(state.summary)", .tone(.danger))
    }

    // MARK: The plan

    /// Columns of the mark, and of the line's number.
    private static let (markColumns, numberColumns) = (3, 5)

    func drawList(on canvas: inout Canvas, in area: ScreenArea) {
        let title = state.name.isEmpty ? "Plan" : state.name
        let inside = canvas.box(area, title: title.shortened(to: max(0, area.columns - 6)))
        guard !state.steps.isEmpty else {
            let words =
                state.name.isEmpty
                ? "o opens a flight plan: a text file, one command a line. i makes one of a route of the map mode."
                : "no commands"
            canvas.writeParagraph(words, in: inside.inset(left: 1, right: 1), .muted)
            return
        }
        let selected = state.moved - 1
        let around = max(0, selected)
        let window = ListWindow(count: state.steps.count, rows: inside.rows, around: around)
        for index in window.shown {
            draw(state.steps[index], index, isSelected: index == selected, row: index - window.first, &canvas, inside)
        }
        canvas.drawMarks(of: window, on: area)
    }

    private func draw(
        _ step: PlanStepLine, _ index: Int, isSelected: Bool, row: Int, _ canvas: inout Canvas, _ area: ScreenArea
    ) {
        let style: Style = isSelected ? .selected : .plain
        if isSelected { canvas.fill(area.inset(top: row).split(top: 1).top, " ", .selected) }
        canvas.write(state.flight?.step == index ? "▶" : " ", row: row, in: area, style)
        if let finding = step.finding {
            let tone: Tone = finding == .failure ? .danger : .warning
            canvas.write(
                finding == .failure ? "✗" : "!", row: row, column: 1, in: area, isSelected ? .selected : .tone(tone))
        }
        canvas.writeRight(
            "\(step.line)", row: row, margin: max(0, area.columns - Self.markColumns - Self.numberColumns + 1),
            in: area,
            isSelected ? .selected : .muted)
        let start = Self.markColumns + Self.numberColumns
        let left = max(0, area.columns - start)
        // The time stands beside the command only if both fit.
        let showsTime = step.text.cells + step.ends.cells + 2 <= left
        canvas.write(step.text.shortened(to: left), row: row, column: start, in: area, style)
        if showsTime {
            canvas.writeRight(step.ends, row: row, margin: 1, in: area, isSelected ? .selected : .muted)
        }
    }

    func drawFindings(on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "Check")
        let lines = ordered.flatMap { finding in
            finding.text.wrapped(to: max(1, inside.columns - 2)).enumerated().map {
                ($0.offset == 0, $0.element, finding)
            }
        }
        for (row, (isFirst, text, finding)) in lines.prefix(inside.rows).enumerated() {
            if isFirst { canvas.write(sign(finding), row: row, in: inside, style(finding)) }
            canvas.write(text, row: row, column: 2, in: inside, style(finding))
        }
        guard lines.count > inside.rows else { return }
        // What is cut stands whole in the help.
        canvas.writeRight(" all: F1 ", row: area.rows - 1, margin: 2, in: area, .muted)
    }

    /// Those of the selected step first, then what makes the plan one that is not flown.
    private var ordered: [PlanFinding] {
        let selected = state.steps.indices.contains(state.moved - 1) ? state.steps[state.moved - 1].line : nil
        let (here, others) = (
            state.findings.filter { selected != nil && $0.line == selected },
            state.findings.filter { selected == nil || $0.line != selected }
        )
        return here + others.filter { $0.weight == .failure } + others.filter { $0.weight == .warning }
    }

    private func sign(_ finding: PlanFinding) -> String { finding.weight == .failure ? "✗" : "!" }

    private func style(_ finding: PlanFinding) -> Style { .tone(finding.weight == .failure ? .danger : .warning) }

    /// Where the simulated drone is, and above it a finding where they have no box.
    func drawFoot(on canvas: inout Canvas, in area: ScreenArea, withFinding: Bool) {
        var row = 0
        if withFinding, area.rows > 1, let finding = ordered.first {
            let more = state.findings.count > 1 ? " (1 of \(state.findings.count): F1)" : ""
            let room = max(0, area.columns - 4 - more.cells)
            canvas.write(
                "\(sign(finding)) \(finding.text.shortened(to: room))\(more)", row: row, column: 1, in: area,
                style(finding))
            row += 1
        }
        canvas.write(
            state.position.shortened(to: max(0, area.columns - 2)), row: row, column: 1, in: area, .muted)
    }
}
