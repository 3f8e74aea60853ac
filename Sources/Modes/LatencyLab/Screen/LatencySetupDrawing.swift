internal import TextScreen

/// Draws the setup.
enum LatencySetupDrawing {
    private static let sections = 9

    /// Draws the setup; returns the area of the lines, and the index of the first visible one.
    static func draw(
        _ setup: LatencySetup, on canvas: inout Canvas, in area: ScreenArea
    ) -> (list: ScreenArea, first: Int) {
        let whole = canvas.box(area, title: "Measure latency").inset(left: 1, right: 1)
        let inside = drawObstacle(setup, on: &canvas, in: whole)
        // The texts below leave space for at least four lines where possible; the problem has priority over the summary.
        let available = max(1, min(4, inside.rows - 4))
        let hasProblem = !setup.problem.isEmpty && setup.problem != setup.obstacle
        let problem = hasProblem ? "✗ \(setup.problem)".wrapped(to: inside.columns, atMost: available) : []
        let whatIsCut = cut(setup, in: inside)?.wrapped(to: inside.columns, atMost: available - problem.count) ?? []
        let rest = available - problem.count - whatIsCut.count
        let summary = setup.summary.isEmpty ? [] : setup.summary.wrapped(to: inside.columns, atMost: max(0, rest))
        let foot =
            whatIsCut.map { ($0, Style.plain) } + summary.map { ($0, Style.muted) }
            + problem.map { ($0, Style.tone(.danger)) }
        let list = inside.split(top: inside.rows - foot.count).top
        let window = ListWindow(count: setup.lines.count, rows: list.rows, around: setup.selected)
        draw(lines: setup, window, on: &canvas, in: list)
        canvas.drawMarks(of: window, on: area)
        for (row, line) in foot.enumerated() {
            canvas.write(line.0, row: inside.rows - foot.count + row, in: inside, line.1)
        }
        return (list, window.first)
    }

    /// Why nothing can be measured, above everything else: the lines below look ready. Returns what is left.
    private static func drawObstacle(
        _ setup: LatencySetup, on canvas: inout Canvas, in area: ScreenArea
    ) -> ScreenArea {
        guard let obstacle = setup.obstacle else { return area }
        let wasAsked = setup.problem == obstacle
        let lines = "\(wasAsked ? "✗" : "!") \(obstacle)".wrapped(to: area.columns, atMost: max(1, area.rows - 2))
        for (row, line) in lines.enumerated() {
            canvas.write(line, row: row, in: area, wasAsked ? .tone(.danger) : .tone(.warning))
        }
        return area.inset(top: lines.count + (area.rows > lines.count + 5 ? 1 : 0))
    }

    /// The columns of the marks and the short titles.
    private static func titleColumns(_ setup: LatencySetup) -> Int {
        4 + (setup.lines.filter { $0.isChosen != nil }.map(\.title.cells).filter { $0 < 20 }.max() ?? 0)
    }

    /// On a narrow screen the section column is left out.
    private static func indent(of area: ScreenArea) -> Int { area.columns >= 60 ? sections : 0 }

    private static func title(of line: LatencySetup.Line, indent: Int) -> String {
        indent == 0 && line.isChosen == nil && !line.section.isEmpty
            ? "\(line.section.lowercased()) \(line.title)" : line.title
    }

    /// The whole text of the selected line; `nil` if it is shown whole in its place.
    private static func cut(_ setup: LatencySetup, in area: ScreenArea) -> String? {
        guard setup.lines.indices.contains(setup.selected) else { return nil }
        let line = setup.lines[setup.selected]
        let indent = indent(of: area)
        let title = title(of: line, indent: indent)
        let columns = area.columns - indent
        let column = max(titleColumns(setup) + 2, 4 + title.cells + 2)
        guard 4 + title.cells > columns || column + line.detail.cells > columns else { return nil }
        return line.detail.isEmpty ? title : "\(title): \(line.detail)"
    }

    private static func draw(
        lines setup: LatencySetup, _ window: ListWindow, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let titles = titleColumns(setup)
        let indent = indent(of: area)
        for (row, index) in window.shown.enumerated() {
            let (line, isSelected) = (setup.lines[index], index == setup.selected)
            if indent > 0 { canvas.write(line.section, row: row, in: area, .muted) }
            let place = area.inset(left: indent)
            let base: Style = isSelected ? .selected : line.isPossible ? .plain : .muted
            if isSelected {
                canvas.fill(
                    ScreenArea(row: place.row + row, column: place.column, rows: 1, columns: place.columns), " ", base)
            }
            let mark = line.isChosen.map { $0 ? "[x] " : "[ ] " } ?? "    "
            let title = title(of: line, indent: indent)
            let end = canvas.write(
                mark + title.fitted(to: max(0, place.columns - 4)), row: row, in: place,
                line.isChosen == true ? base.adding(.bold) : base)
            let column = max(titles + 2, end + 2)
            canvas.write(
                line.detail.shortened(to: max(0, place.columns - column)), row: row, column: column, in: place,
                isSelected ? base : .muted)
        }
    }
}
