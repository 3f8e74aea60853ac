internal import ModeKit
internal import ReportKit
package import TextScreen

/// Two lines for a screen that is too narrow for the panel: the stage with the first finding, and the values of the selected point, or of
/// the plan when none is selected.
package struct RouteStatusLines {
    private let state: RouteScreenState

    /// The lines of a route's state.
    package init(_ state: RouteScreenState) { self.state = state }

    /// Draws them into the first two rows of an area.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        var stage: [Canvas.Span] = [RoutePanel.stageText(state)]
        if let progress = state.progress, progress.isFinite {
            stage.append(.init(" \(Int(saturating: progress * 100)) %"))
        }
        if let finding = state.findings.first {
            let available = area.columns - stage.reduce(0) { $0 + $1.text.cells }
            let text = "\(finding.isFailure ? "✗" : "!") \(finding.text)".shortened(to: max(0, available - 1))
            stage.append(.init(" " + text, finding.isFailure ? .tone(.danger) : .tone(.warning)))
        }
        canvas.write(stage, row: 0, in: area)
        let facts = (state.point.isEmpty ? state.plan : state.point).map { "\($0.label) \($0.value)" }
        canvas.write(Self.joined(facts, columns: area.columns), row: 1, in: area)
    }

    /// As many values as fit: the first are the most important ones.
    private static func joined(_ facts: [String], columns: Int) -> String {
        var line = (facts.first ?? "").shortened(to: columns)
        for fact in facts.dropFirst() {
            guard line.cells + 2 + fact.cells <= columns else { break }
            line += "  " + fact
        }
        return line
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
    /// Lines at the bottom, over the whole width: three without a panel, else one.
    package let lines: ScreenArea

    private static let leastColumnsWithPanel = 72
    private static let leastWithElevation = ScreenSize(rows: 36, columns: 150)
    private static let elevationRows = 12

    /// The layout of an area.
    package init(_ area: ScreenArea) {
        let hasPanel = area.columns >= Self.leastColumnsWithPanel
        let (upper, lines) = area.split(top: max(0, area.rows - (hasPanel ? 1 : 3)))
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
