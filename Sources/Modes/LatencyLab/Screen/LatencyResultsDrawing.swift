internal import LatencyMeasurement
internal import ReportKit
internal import TextScreen
internal import UAVLink

/// Draws the pages of the results.
enum LatencyResultsDrawing {
    /// A tab of a page, and where it was drawn.
    struct Tab {
        var page: LatencyLabPage
        var area: ScreenArea
    }

    /// Draws the tabs and returns their areas; when they do not fit, only that of the current page is drawn.
    static func drawTabs(_ page: LatencyLabPage, on canvas: inout Canvas, in area: ScreenArea) -> [Tab] {
        let area = area.inset(top: 1, left: 2, bottom: 1, right: 2)
        let pages = LatencyLabPage.allCases
        let isWide = pages.reduce(0) { $0 + $1.rawValue.cells + 5 } <= area.columns
        var column = 0
        var tabs: [Tab] = []
        for (index, one) in pages.enumerated() where isWide || one == page {
            let text = isWide ? " \(index + 1) \(one.rawValue) " : " \(index + 1) of \(pages.count) \(one.rawValue) "
            let end = column + canvas.write(text, row: 0, column: column, in: area, one == page ? .selected : .muted)
            tabs.append(Tab(page: one, area: area.inset(left: column).split(left: end - column).left.split(top: 1).top))
            column = end + 1
        }
        return tabs
    }

    /// Draws the current page; returns its largest scroll offset, lines.
    static func draw(
        _ reading: LatencyResultsState, _ strips: inout LatencyTimeStrips.Cache, on canvas: inout Canvas,
        in area: ScreenArea
    ) -> Int {
        let report = reading.shown.result.report
        let inside = canvas.box(area, title: "Latency of \(report.vehicle.sanitizedLine)").inset(left: 1, right: 1)
        if !reading.savedAs.isEmpty {
            canvas.writeRight(
                " saved to \(reading.savedAs) ".fitted(to: area.columns / 2), row: 0, margin: 2, in: area,
                .tone(.good))
        }
        let conditions = reading.shown.result.summary.conditions
        guard conditions.indices.contains(reading.condition) else { return 0 }
        let condition = conditions[reading.condition]
        drawHead(reading, condition, of: conditions.count, on: &canvas, in: inside)
        let page = inside.inset(top: 2)
        switch reading.page {
        case .table:
            return draw(
                tables(reading.table, reading, columns: page.columns), reading.scroll, on: &canvas, in: page,
                frame: area)
        case .verdict:
            return draw(verdict(reading, columns: page.columns), reading.scroll, on: &canvas, in: page, frame: area)
        case .conditions:
            return draw(
                tables(reading.comparison, reading, columns: page.columns), reading.scroll, on: &canvas, in: page,
                frame: area)
        case .distribution: LatencyPlot.draw(reading.kind, of: condition, on: &canvas, in: page)
        case .stages:
            return draw(
                LatencyStageBars.lines(reading.kind, of: condition, columns: page.columns), reading.scroll, on: &canvas,
                in: page, frame: area)
        case .time:
            let most = LatencyTimeStrips.draw(reading, condition, &strips, on: &canvas, in: page)
            if reading.scroll < most { drawMore(on: &canvas, in: area) }
            return most
        }
        return 0
    }

    private static func drawHead(
        _ reading: LatencyResultsState, _ condition: LatencySummary.Condition, of count: Int, on canvas: inout Canvas,
        in area: ScreenArea
    ) {
        guard reading.page != .conditions else {
            let words = count == 1 ? "one condition" : "\(count) conditions"
            canvas.write(words, row: 1, in: area, Style.plain.adding(.bold))
            return
        }
        let number = count > 1 ? "condition \(reading.condition + 1) of \(count): " : "condition: "
        var head = number + condition.impairment.sanitizedLine
        let isChart = reading.page != .table && reading.page != .verdict
        if isChart { head += "   \(reading.kind.rawValue) (ms)" }
        canvas.write(head.fitted(to: area.columns), row: 1, in: area, Style.plain.adding(.bold))
    }

    // MARK: Pages of lines

    private static func draw(
        _ lines: [[Canvas.Span]], _ scroll: Int, on canvas: inout Canvas, in area: ScreenArea, frame: ScreenArea
    ) -> Int {
        let most = max(0, lines.count - area.rows)
        let first = min(max(0, scroll), most)
        for (row, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
            canvas.write(line, row: row, in: area)
        }
        if first < most { drawMore(on: &canvas, in: frame) }
        return most
    }

    private static func drawMore(on canvas: inout Canvas, in frame: ScreenArea) {
        canvas.writeRight(" ↓ more ", row: frame.rows - 1, margin: 2, in: frame, .title)
    }

    private static func tables(
        _ sections: [LatencyTableSection], _ reading: LatencyResultsState, columns: Int
    ) -> [[Canvas.Span]] {
        var lines: [[Canvas.Span]] = []
        for section in sections {
            if !lines.isEmpty { lines.append([]) }
            let meaning = section.meaning.isEmpty ? "" : "  \(section.meaning)"
            lines.append([
                .init(section.title, .title), .init(meaning.fitted(to: max(0, columns - section.title.cells)), .muted),
            ])
            lines += LatencyTableDrawing.lines(section, columns: columns)
            lines += section.remarks.flatMap { $0.wrapped(to: max(1, columns - 2)).map { [.init("  \($0)", .muted)] } }
        }
        for note in reading.shown.result.report.notes {
            lines += "note: \(note.sanitizedLine)".wrapped(to: columns).map { [.init($0, .tone(.warning))] }
        }
        return lines
    }

    private static func verdict(_ reading: LatencyResultsState, columns: Int) -> [[Canvas.Span]] {
        let verdicts = reading.shown.result.verdicts
        guard verdicts.indices.contains(reading.condition) else { return [] }
        let verdict = verdicts[reading.condition]
        var lines = "Can I fly this? \(verdict.answer.sanitizedLine)".wrapped(to: columns).map {
            line -> [Canvas.Span] in
            [.init(line, Style.plain.adding(.bold))]
        }
        for link in verdict.links {
            lines.append([])
            let (mark, style): (String, Style) =
                switch link.fitness {
                case .sticks: ("✓", .tone(.good))
                case .slowSticks: ("!", .tone(.warning))
                case .commands: ("!", .tone(.warning))
                case .nothing: ("✗", .tone(.danger))
                }
            for (index, line) in link.sentence.sanitizedLine.wrapped(to: max(1, columns - 2)).enumerated() {
                lines.append([.init(index == 0 ? "\(mark) " : "  ", style), .init(line)])
            }
        }
        lines.append([])
        lines += verdict.modes.flatMap { $0.sanitizedLine.wrapped(to: columns).map { [.init($0)] } }
        lines.append([])
        lines += verdict.thresholds.sources.flatMap { $0.wrapped(to: columns).map { [.init($0, .muted)] } }
        return lines
    }
}
