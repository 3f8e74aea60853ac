internal import LatencyOutput
internal import LatencyMeasurement
internal import LatencyStatistics
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

    /// Draws the current page.
    static func draw(
        _ reading: LatencyResultsState, _ strips: LatencyTimeStrips.Strips?, on canvas: inout Canvas,
        in area: ScreenArea
    ) {
        let report = reading.shown.result.report
        let inside = canvas.box(area, title: "Latency of \(report.target.sanitizedLine)").inset(left: 1, right: 1)
        let most = maximumScroll(reading, in: area)
        let window = ListWindow(count: most + 1, rows: 1, first: reading.scroll)
        if !reading.writing.isEmpty || !reading.savedAs.isEmpty {
            let (isWriting, columns) = (!reading.writing.isEmpty, area.columns / 2)
            canvas.writeRight(
                (isWriting ? " writing \(reading.writing) ... " : " saved to \(reading.savedAs) ").fitted(to: columns),
                row: 0, margin: window.above > 0 ? Self.markColumns : 2, in: area, isWriting ? .muted : .tone(.good))
        }
        guard let condition = condition(reading) else { return }
        drawHead(reading, condition, of: reading.shown.result.summary.conditions.count, on: &canvas, in: inside)
        let page = page(in: area)
        if let lines = lines(reading, condition, in: page) {
            for (row, line) in lines.dropFirst(first(reading, of: lines, in: page)).prefix(page.rows).enumerated() {
                canvas.write(line, row: row, in: page)
            }
        } else if reading.page == .distribution {
            LatencyPlot.draw(reading.kind, of: condition, on: &canvas, in: page)
        } else {
            LatencyTimeStrips.draw(reading, condition, strips, on: &canvas, in: page)
        }
        canvas.drawMarks(of: window, on: area)
    }

    private static func condition(_ reading: LatencyResultsState) -> LatencySummary.Condition? {
        let conditions = reading.shown.result.summary.conditions
        return conditions.indices.contains(reading.condition) ? conditions[reading.condition] : nil
    }

    /// The area of a page, below the tabs and the head.
    static func page(in area: ScreenArea) -> ScreenArea {
        area.inset(top: 1, left: 1, bottom: 1, right: 1).inset(top: 2, left: 1, right: 1)
    }

    /// The largest scroll offset of the current page, lines.
    static func maximumScroll(_ reading: LatencyResultsState, in area: ScreenArea) -> Int {
        guard let condition = condition(reading) else { return 0 }
        let page = page(in: area)
        if let lines = lines(reading, condition, in: page) { return max(0, lines.count - page.rows) }
        return reading.page == .time ? LatencyTimeStrips.maximumScroll(reading, condition, in: page) : 0
    }

    private static func first(
        _ reading: LatencyResultsState, of lines: [[Canvas.Span]], in page: ScreenArea
    ) -> Int {
        min(max(0, reading.scroll), max(0, lines.count - page.rows))
    }

    /// The lines of the current page; `nil` for a chart.
    private static func lines(
        _ reading: LatencyResultsState, _ condition: LatencySummary.Condition, in page: ScreenArea
    ) -> [[Canvas.Span]]? {
        switch reading.page {
        case .table: tables(reading.table, reading, in: page)
        case .verdict: verdict(reading, columns: page.columns)
        case .conditions: tables(reading.comparison, reading, in: page)
        case .stages: LatencyStageBars.lines(reading.kind, of: condition, columns: page.columns)
        case .distribution, .time: nil
        }
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
        let kind = reading.kind.rawValue
        // What the axes are: up, over across.
        let axes =
            switch reading.page {
            case .distribution: "   \(kind): share over ms"
            case .time: "   \(kind): ms over time"
            case .stages: "   \(kind): mean (ms)"
            case .table, .verdict, .conditions: ""
            }
        canvas.write(
            head(number + condition.impairment.sanitizedLine, axes, columns: area.columns), row: 1, in: area,
            Style.plain.adding(.bold))
    }

    /// The condition and the axes; a long condition is cut, not the axes: the page of conditions has it whole.
    static func head(_ condition: String, _ axes: String, columns: Int) -> String {
        (condition.fitted(to: max(0, columns - axes.cells)) + axes).fitted(to: columns)
    }

    // MARK: Pages of lines

    /// A page with fewer rows shows few of a table below a heading of several lines.
    private static let leastRowsWithMeaning = 10
    /// The columns that the sign of lines above takes.
    private static let markColumns = 16

    private static func tables(
        _ sections: [LatencyTableSection], _ reading: LatencyResultsState, in page: ScreenArea
    ) -> [[Canvas.Span]] {
        let columns = page.columns
        // Where a heading of several lines would leave no row for figures, what they mean stands below them.
        let isLow = page.rows < leastRowsWithMeaning
        var lines: [[Canvas.Span]] = []
        for section in sections {
            if !lines.isEmpty { lines.append([]) }
            let title = heading(section, columns: columns)
            let isBelow = isLow && title.count > 1
            lines += isBelow ? [[.init(section.title, .title)]] : title
            lines += LatencyTableDrawing.lines(section, columns: columns)
            if isBelow { lines += section.meaning.wrapped(to: max(1, columns - 2)).map { [.init("  \($0)", .muted)] } }
            lines += section.warnings.flatMap {
                "! \($0)".wrapped(to: columns).map { [Canvas.Span($0, .tone(.warning))] }
            }
            lines += section.notes.flatMap { $0.wrapped(to: max(1, columns - 2)).map { [.init("  \($0)", .muted)] } }
        }
        return lines + notes(reading, columns: columns)
    }

    /// The title and the meaning, which is continued below where it does not fit beside it.
    static func heading(_ section: LatencyTableSection, columns: Int) -> [[Canvas.Span]] {
        let title = Canvas.Span(section.title, .title)
        guard !section.meaning.isEmpty else { return [[title]] }
        let indent = section.title.cells + 2
        let meaning = section.meaning.wrapped(to: max(1, columns - indent))
        return meaning.enumerated().map { index, line in
            let start: [Canvas.Span] =
                index == 0 ? [title, .init("  ")] : [.init(String(repeating: " ", count: indent))]
            return start + [.init(line, .muted)]
        }
    }

    /// The warnings about the whole measurement.
    private static func notes(_ reading: LatencyResultsState, columns: Int) -> [[Canvas.Span]] {
        reading.shown.result.report.notes.flatMap { note in
            "warning: \(note.sanitizedLine)".wrapped(to: columns).map { [Canvas.Span($0, .tone(.warning))] }
        }
    }

    private static func verdict(_ reading: LatencyResultsState, columns: Int) -> [[Canvas.Span]] {
        let verdicts = reading.shown.result.verdicts
        guard verdicts.indices.contains(reading.condition) else { return [] }
        let verdict = verdicts[reading.condition]
        // They say how much the verdict is worth.
        var lines = notes(reading, columns: columns)
        lines += "Can I fly this? \(verdict.answer.sanitizedLine)".wrapped(to: columns).map { line -> [Canvas.Span] in
            [.init(line, Style.plain.adding(.bold))]
        }
        for said in verdict.sharedSentences {
            lines.append([])
            let (mark, style): (String, Style) =
                switch said.fitness {
                case .unknown: ("?", .tone(.warning))
                case .sticks: ("✓", .tone(.good))
                case .slowSticks, .commands: ("!", .tone(.warning))
                case .nothing: ("✗", .tone(.danger))
                }
            for (index, line) in said.text.sanitizedLine.wrapped(to: max(1, columns - 2)).enumerated() {
                lines.append([.init(index == 0 ? "\(mark) " : "  ", style), .init(line)])
            }
        }
        for way in verdict.sharedTravel {
            lines.append([])
            lines += way.sanitizedLine.wrapped(to: columns).map { [.init($0)] }
        }
        if let wait = verdict.sharedWait?.sanitizedLine {
            lines.append([])
            lines += wait.wrapped(to: columns).map { [.init($0, .tone(.warning))] }
        }
        if !verdict.modes.isEmpty { lines.append([]) }
        lines += verdict.modes.flatMap { $0.sanitizedLine.wrapped(to: columns).map { [.init($0)] } }
        lines.append([])
        lines += verdict.thresholds.sources.flatMap { $0.wrapped(to: columns).map { [.init($0, .muted)] } }
        return lines
    }
}
