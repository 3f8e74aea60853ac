internal import TextScreen

/// Draws the setup.
enum LatencySetupDrawing {
    private static let sections = 9

    /// Draws the setup; returns the area of the lines, and the index of the first visible one.
    static func draw(
        _ setup: LatencySetup, on canvas: inout Canvas, in area: ScreenArea
    ) -> (list: ScreenArea, first: Int) {
        let inside = canvas.box(area, title: "Measure latency").inset(left: 1, right: 1)
        // The texts below leave space for at least four lines where possible; the problem has priority over the summary.
        let room = max(1, min(4, inside.rows - 4))
        let problem = setup.problem.isEmpty ? [] : "✗ \(setup.problem)".wrapped(to: inside.columns).prefix(room)
        let summary = setup.summary.wrapped(to: inside.columns).prefix(room - problem.count)
        let foot = summary.map { ($0, Style.muted) } + problem.map { ($0, Style.tone(.danger)) }
        let list = inside.split(top: inside.rows - foot.count).top
        let first = draw(lines: setup, on: &canvas, in: list)
        for (row, line) in foot.enumerated() {
            canvas.write(line.0, row: inside.rows - foot.count + row, in: inside, line.1)
        }
        return (list, first)
    }

    private static func draw(lines setup: LatencySetup, on canvas: inout Canvas, in area: ScreenArea) -> Int {
        guard area.rows > 0 else { return 0 }
        let most = max(0, setup.lines.count - area.rows)
        let first = min(max(0, setup.selected - area.rows / 2), most)
        let titles = 4 + (setup.lines.filter { $0.isChosen != nil }.map(\.title.cells).filter { $0 < 20 }.max() ?? 0)
        // On a narrow screen the section column is left out.
        let indent = area.columns >= 60 ? sections : 0
        for (row, line) in setup.lines.dropFirst(first).prefix(area.rows).enumerated() {
            let isSelected = first + row == setup.selected
            if indent > 0 { canvas.write(line.section, row: row, in: area, .muted) }
            let place = area.inset(left: indent)
            let base: Style = isSelected ? .selected : line.isPossible ? .plain : .muted
            if isSelected {
                canvas.fill(
                    ScreenArea(row: place.row + row, column: place.column, rows: 1, columns: place.columns), " ", base)
            }
            let mark = line.isChosen.map { $0 ? "[x] " : "[ ] " } ?? "    "
            let title =
                indent == 0 && line.isChosen == nil && !line.section.isEmpty
                ? "\(line.section.lowercased()) \(line.title)" : line.title
            let end = canvas.write(
                mark + title.fitted(to: max(0, place.columns - 4)), row: row, in: place,
                line.isChosen == true ? base.adding(.bold) : base)
            let column = max(titles + 2, end + 2)
            canvas.write(
                line.detail.fitted(to: max(0, place.columns - column)), row: row, column: column, in: place,
                isSelected ? base : .muted)
        }
        if first > 0 { canvas.writeRight("↑", row: 0, in: area, .title) }
        if first < most { canvas.writeRight("↓", row: area.rows - 1, in: area, .title) }
        return first
    }
}
