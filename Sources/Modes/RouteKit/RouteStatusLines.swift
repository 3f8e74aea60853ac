package import ModeKit
internal import ReportKit
package import TextScreen

/// The lines for a screen that is too narrow for the panel: the stage with the first finding, and the values of the selected point, or of
/// the plan when none is selected.
package struct RouteStatusLines {
    private let state: RouteScreenState

    /// The lines of a route's state.
    package init(_ state: RouteScreenState) { self.state = state }

    /// Draws them into all rows of an area but the last one: at least one for the values.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        let stage = stageLines(columns: area.columns, atMost: max(1, area.rows - 2))
        for (row, spans) in stage.enumerated() { canvas.write(spans, row: row, in: area) }
        let facts = (state.point.isEmpty ? state.plan : state.point).map { "\($0.label) \($0.value)" }
        for (row, line) in Self.packed(facts, columns: area.columns, rows: area.rows - 1 - stage.count).enumerated() {
            canvas.write(line, row: stage.count + row, in: area)
        }
    }

    /// All of it, by label, for the help: values and findings have no other place where lines are short.
    package var details: [KeyHelp] {
        let findings = state.findings.map { KeyHelp($0.isFailure ? "✗" : "!", $0.text) }
        let values = (state.point + state.plan + state.trackError).map { KeyHelp($0.label, $0.value) }
        return [KeyHelp("trajectory", stageText)] + findings + values + state.cursorLines.map { KeyHelp("cursor", $0) }
    }

    private var stageText: String {
        let progress = state.progress.flatMap { $0.isFinite ? " \(Int(saturating: $0 * 100)) %" : nil } ?? ""
        return RoutePanel.stageText(state).text + progress
    }

    /// The stage, wrapped, and the first finding behind it; below it where there are rows for it and it does not fit.
    private func stageLines(columns: Int, atMost rows: Int) -> [[Canvas.Span]] {
        let style = RoutePanel.stageText(state).style
        var lines = stageText.wrapped(to: max(1, columns), atMost: rows).map { [Canvas.Span($0, style)] }
        guard let finding = state.findings.first else { return lines }
        let text = "\(finding.isFailure ? "✗" : "!") \(finding.text)"
        let findingStyle: Style = finding.isFailure ? .tone(.danger) : .tone(.warning)
        let used = lines.last?.reduce(0) { $0 + $1.text.cells } ?? 0
        let (left, below) = (columns - used - 1, rows - lines.count)
        if text.cells <= left || below == 0 {
            // A few letters say nothing.
            guard left >= Self.leastFinding, !lines.isEmpty else { return lines }
            lines[lines.count - 1].append(.init(" " + text.shortened(to: left), findingStyle))
        } else {
            lines += text.wrapped(to: max(1, columns), atMost: below).map { [.init($0, findingStyle)] }
        }
        return lines
    }

    /// The fewest cells in which a finding is begun.
    private static let leastFinding = 10

    /// As many values as fit: the first are the most important ones.
    private static func packed(_ facts: [String], columns: Int, rows: Int) -> [String] {
        guard let first = facts.first, rows > 0 else { return [] }
        var lines = [first.shortened(to: columns)]
        for fact in facts.dropFirst() {
            if lines[lines.count - 1].cells + 2 + fact.cells <= columns {
                lines[lines.count - 1] += "  " + fact
            } else if lines.count < rows, fact.cells <= columns {
                lines.append(fact)
            } else {
                break
            }
        }
        return lines
    }
}

/// The layout of a map with a route: the map in a frame, the panel beside it if the screen is wide enough, and lines below.
package struct RouteLayout {
    /// The frame around the map.
    package let frame: ScreenArea
    /// What is inside the frame.
    package let inside: ScreenArea
    /// The text panel; `nil` when the screen is too narrow.
    package let panel: ScreenArea?
    /// The view from the side, below the panel; `nil` when the screen is not large.
    package let elevation: ScreenArea?
    /// Lines at the bottom, over the whole width: one beside a panel; else four, or three where the map needs the space.
    package let lines: ScreenArea

    private static let leastColumnsWithPanel = 72
    /// The fewest rows with four lines below the map: those of a terminal with 15.
    private static let leastRowsWithFourLines = 11
    private static let leastWithElevation = ScreenSize(rows: 36, columns: 150)
    private static let elevationRows = 12

    /// The layout of an area.
    package init(_ area: ScreenArea) {
        let hasPanel = area.columns >= Self.leastColumnsWithPanel
        let below = hasPanel ? 1 : area.rows >= Self.leastRowsWithFourLines ? 4 : 3
        let (upper, lines) = area.split(top: max(0, area.rows - below))
        self.lines = lines
        if hasPanel {
            let (left, right) = upper.split(
                left: upper.columns - (area.columns >= 170 ? 56 : area.columns >= 110 ? 42 : 30))
            frame = left
            let least = Self.leastWithElevation
            if area.columns >= least.columns, area.rows >= least.rows {
                let (text, below) = right.inset(left: 1).split(top: right.rows - Self.elevationRows)
                (panel, elevation) = (text, below)
            } else {
                (panel, elevation) = (right.inset(left: 1), nil)
            }
        } else {
            frame = upper
            (panel, elevation) = (nil, nil)
        }
        inside = frame.inset(top: 1, left: 1, bottom: 1, right: 1)
    }
}
