internal import TextScreen

/// Draws each panel of telemetry inside its frame.
struct TelemetryPanels {
    let state: TelemetryScreenState
    /// Whether the panel has the whole screen.
    let isAlone: Bool

    /// Draws a panel, and how much more of it there is above and below.
    func draw(_ panel: TelemetryPanel, on canvas: inout Canvas, in area: ScreenArea) {
        let hasFocus = panel == state.focus
        let title = (hasFocus ? "▸ " : "") + title(panel)
        let inside = canvas.box(
            area, title: title, hasFocus ? .tone(.accent) : .muted, titleStyle: hasFocus ? .selected : .title
        ).inset(left: 1)
        let scroll = hasFocus ? state.scroll : 0
        let window: ListWindow? =
            switch panel {
            case .motion: draw(state.motion, from: scroll, on: &canvas, in: inside)
            case .vehicle: draw(state.allVehicleLines, from: scroll, on: &canvas, in: inside)
            case .trail: drawTrail(on: &canvas, in: inside)
            case .sparklines: drawSparklines(from: scroll, on: &canvas, in: inside)
            case .messages: drawMessages(awayFromEnd: scroll, on: &canvas, in: inside)
            case .rates: drawRates(from: scroll, on: &canvas, in: inside)
            case .topics: drawTopics(from: scroll, on: &canvas, in: inside)
            }
        if let window { canvas.drawMarks(of: window, on: area, hasFocus ? .tone(.accent) : .muted) }
    }

    private func drawTrail(on canvas: inout Canvas, in area: ScreenArea) -> ListWindow? {
        TrailPlot(trail: state.trail).draw(on: &canvas, in: area)
        return nil
    }

    private func title(_ panel: TelemetryPanel) -> String {
        switch panel {
        case .motion where !state.vehicle.isEmpty: "\(panel.title) of \(state.vehicle)"
        case .topics where !state.topics.isEmpty: "Topics (\(state.topics.count))"
        case .messages where !state.messages.isEmpty: "Messages (\(state.messages.count))"
        default: panel.title
        }
    }

    static func style(_ mark: TelemetrySeverity) -> Style {
        switch mark {
        case .plain: .plain
        case .unknown: .muted
        case .warning: .tone(.warning)
        case .danger: .tone(.danger)
        }
    }

    // MARK: Lines

    /// Label, value, and the note at the right edge, which has priority over the value.
    private func draw(_ line: TelemetryLine, label width: Int, row: Int, on canvas: inout Canvas, in area: ScreenArea) {
        let style = Self.style(line.mark)
        canvas.write(line.label.fitted(to: width - 1), row: row, in: area, .muted)
        // In a narrow area the figure is more important than the word "old".
        let isTight = line.value.cells + line.note.cells + 1 > area.columns - width
        let note = isTight && line.note.hasSuffix(" old") ? String(line.note.dropLast(4)) : line.note
        let available = area.columns - width - (note.isEmpty ? 0 : note.cells + 1)
        canvas.write(line.value.fitted(to: available), row: row, column: width, in: area, style)
        canvas.writeRight(note, row: row, in: area, style)
    }

    private func draw(
        _ lines: [TelemetryLine], from first: Int, on canvas: inout Canvas, in area: ScreenArea
    ) -> ListWindow? {
        let window = ListWindow(count: lines.count, rows: area.rows, first: first)
        for (row, line) in lines[window.shown].enumerated() {
            draw(line, label: 10, row: row, on: &canvas, in: area)
        }
        return window
    }

    private func drawRates(from first: Int, on canvas: inout Canvas, in area: ScreenArea) -> ListWindow? {
        guard !state.rates.isEmpty else {
            canvas.write("- none yet", row: 0, in: area, .muted)
            return nil
        }
        // If not all fit, the slow ones come first.
        let isTight = area.rows < state.rates.count && state.focus != .rates
        let faults = state.rates.filter { $0.mark == .warning || $0.mark == .danger }
        let others = state.rates.filter { $0.mark == .plain } + state.rates.filter { $0.mark == .unknown }
        let lines = isTight ? faults + others : state.rates
        let window = ListWindow(count: lines.count, rows: area.rows, first: first)
        for (row, line) in lines[window.shown].enumerated() {
            let note = line.note.isEmpty ? "" : " " + line.note
            let right = line.value + note
            let available = area.columns - right.cells - 1
            canvas.write(
                shortened(line.label, to: available), row: row, in: area,
                line.mark == .plain ? .muted : Self.style(line.mark))
            canvas.writeRight(right, row: row, in: area, Self.style(line.mark))
        }
        return window
    }

    /// Topics differ at their ends and at their beginnings: `constra…/diagnostics`.
    private func shortened(_ name: String, to width: Int) -> String {
        guard name.cells > width else { return name }
        let last = name.lastIndex(of: "/").map { name[$0...] } ?? name[...]
        let available = width - last.cells - 1
        return available < 3
            ? "…" + String(name.suffix(max(0, width - 1))) : String(name.prefix(available)) + "…" + last
    }

    // MARK: Messages

    /// Newest last; scrolled up from the end.
    private func drawMessages(awayFromEnd: Int, on canvas: inout Canvas, in area: ScreenArea) -> ListWindow? {
        guard !state.messages.isEmpty else {
            canvas.write("- none", row: 0, in: area, .muted)
            return nil
        }
        let seen = state.messages.dropLast(awayFromEnd)
        let shown = isAlone ? drawFullMessages(seen, on: &canvas, in: area) : min(seen.count, area.rows)
        if !isAlone {
            for (row, message) in seen.suffix(shown).enumerated() {
                draw(message, label: 6, row: row, on: &canvas, in: area)
            }
        }
        return ListWindow(count: state.messages.count, rows: shown, first: seen.count - shown)
    }

    /// Each message with as many lines as it needs, from the bottom up; returns how many messages those are.
    private func drawFullMessages(
        _ messages: ArraySlice<TelemetryLine>, on canvas: inout Canvas, in area: ScreenArea
    ) -> Int {
        var end = area.rows
        let label = 6
        var shown = 0
        for message in messages.reversed() where end > 0 {
            let available = max(8, area.columns - label - message.note.cells - 1)
            let lines = message.value.wrapped(to: available)
            end -= max(1, lines.count)
            shown += 1
            let style = Self.style(message.mark)
            canvas.write(message.label, row: end, in: area, .muted)
            canvas.writeRight(message.note, row: end, in: area, style)
            for (row, line) in lines.enumerated() {
                canvas.write(line, row: end + row, column: label, in: area, style)
            }
        }
        return shown
    }

    // MARK: Sparklines

    private func drawSparklines(from first: Int, on canvas: inout Canvas, in area: ScreenArea) -> ListWindow? {
        if drawCharts(on: &canvas, in: area) { return nil }
        let isWide = area.columns >= 50
        let label = 8
        let figures = isWide ? 36 : 9
        let cells = max(0, area.columns - label - figures - 1)
        let window = ListWindow(count: state.sparklines.count, rows: area.rows, first: first)
        for (row, sparkline) in state.sparklines[window.shown].enumerated() {
            canvas.write(sparkline.label.fitted(to: label - 1), row: row, in: area, .muted)
            let bars = sparkline.bars(cells: cells)
            canvas.write(bars, row: row, column: label, in: area, .tone(.second))
            let newest = sparkline.newest
            let words = isWide && !sparkline.range.isEmpty ? "\(newest)  (\(sparkline.range))" : newest
            canvas.writeRight(words, row: row, in: area, newest == "-" ? .muted : .plain)
        }
        return window
    }

    /// One below the other, if there is space for all; returns whether there was.
    private func drawCharts(on canvas: inout Canvas, in area: ScreenArea) -> Bool {
        let count = state.sparklines.count
        guard count > 0, area.columns >= 40 else { return false }
        let rows = (area.rows - 1) / count
        guard rows >= FigureChart.fewestRows else { return false }
        var rest = area
        for (index, history) in state.sparklines.enumerated() {
            let isLast = index == count - 1
            let (place, below) = rest.split(top: isLast ? rows + 1 : rows)
            FigureChart(history: history, hasTimes: isLast).draw(on: &canvas, in: place)
            rest = below
        }
        return true
    }

    // MARK: Topics

    private func drawTopics(from first: Int, on canvas: inout Canvas, in area: ScreenArea) -> ListWindow? {
        guard !state.topics.isEmpty else {
            let hint = state.hasTopics ? "press a to add a ROS topic" : TelemetryScreenState.noTopics
            canvas.writeParagraph(hint, in: area, .muted)
            return nil
        }
        var row = -first
        for (index, topic) in state.topics.enumerated() {
            if row >= area.rows { break }
            let isChosen = index == state.selectedTopic
            let name = "\(isChosen ? "▸" : " ") \(topic.name)"
            let end = canvas.write(name, row: row, in: area, Style.plain.adding(.bold))
            let below = TopicRows(topic: topic, columns: area.columns).statusBelow
            if below.isEmpty {
                canvas.write(topic.status, row: row, column: end + 2, in: area, Self.style(topic.mark))
            }
            row += 1
            for line in below {
                canvas.write(line, row: row, column: TopicRows.statusIndent, in: area, Self.style(topic.mark))
                row += 1
            }
            for field in topic.fields {
                if row >= area.rows { break }
                let indent = 4 + field.depth * 2
                let end = canvas.write(field.name, row: row, column: indent, in: area, .muted)
                canvas.write(
                    field.value.fitted(to: max(0, area.columns - indent - end - 2)), row: row,
                    column: indent + end + 2, in: area)
                row += 1
            }
        }
        let count = state.topics.reduce(0) { $0 + TopicRows(topic: $1, columns: area.columns).count }
        return ListWindow(count: count, rows: area.rows, first: first)
    }
}
