internal import FlightControl
internal import TextScreen
internal import UAVLink

/// The text of the joystick screen: control, source, figures, the last stop.
enum JoystickStatus {
    /// The rows of the figures.
    static let figureRows = 6
    /// The fewest columns in which no figure of the usual size is cut.
    static let columns = 44
    /// Rows of advice: a screen that waits for much has more of them.
    private static let adviceRows = (least: 2, most: 7)
    /// The most rows for why steering ended, and for what is in progress: texts from the vehicle may be longer.
    private static let footRows = (stop: 4, note: 2)

    /// Lines of text in one style.
    struct Paragraph {
        var lines: [String]
        var style: Style

        init(_ lines: [String], _ style: Style = .plain) {
            self.lines = lines
            self.style = style
        }
    }

    private static func style(_ weight: Notice.Weight) -> Style {
        switch weight {
        case .information: .plain
        case .success: .tone(.good)
        case .warning: .tone(.warning)
        case .error: .tone(.danger)
        }
    }

    // MARK: Control

    /// Draws the control state, and the vehicle where it fits.
    static func drawControl(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let word = " \(state.control.text) "
        // Reversed while setpoints are sent, to be visible without colours.
        let look = style(state.control.weight).adding(state.isSending ? [.bold, .reverse] : .bold)
        let columns = area.columns - word.cells - 2
        let title = state.vehicle.dropLast(state.flight.isEmpty ? 0 : state.flight.count + 1)
        let isCut = state.vehicle.cells > columns && !state.flight.isEmpty
        let vehicle =
            isCut
            ? "\(title.fitted(to: max(1, columns - state.flight.cells - 1))) \(state.flight)"
            : state.vehicle.shortened(to: columns)
        canvas.write([.init(word, look), .init("  \(vehicle)", .title)], row: 0, in: area)
    }

    /// The next step, or what is missing for it; and what then happens by itself.
    static func advice(_ state: JoystickScreenState, columns: Int, atMost most: Int = 9) -> [Paragraph] {
        let advice = state.advice.wrapped(to: columns, atMost: most)
        guard !state.pending.isEmpty else { return [Paragraph(advice, .tone(.accent))] }
        let pending = state.pending.wrapped(to: columns, atMost: max(1, most - advice.count))
        return [Paragraph(advice, .tone(.accent)), Paragraph(pending)]
    }

    /// Draws control state and advice; returns the rest of the area.
    static func draw(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) -> ScreenArea {
        drawControl(state, on: &canvas, in: area)
        let paragraphs = advice(state, columns: max(1, area.columns - 2), atMost: adviceRows.most)
        let rows = write(paragraphs, on: &canvas, in: area.split(top: 1).rest)
        return area.split(top: 1 + max(adviceRows.least, rows)).rest
    }

    /// Writes paragraphs below each other; returns the number of rows.
    @discardableResult
    static func write(_ paragraphs: [Paragraph], on canvas: inout Canvas, in area: ScreenArea) -> Int {
        var row = 0
        for paragraph in paragraphs {
            for line in paragraph.lines {
                canvas.write(line, row: row, column: 1, in: area, paragraph.style)
                row += 1
            }
        }
        return row
    }

    // MARK: Figures

    /// Draws the motion sent, the rates and the limits.
    static func drawFigures(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let figures = JoystickFigures(state: state)
        let turns = state.isSending && !figures.turn.isEmpty
        let lines: [(String, String, Style)] = [
            ("sends", state.isSending ? figures.velocity : "nothing", state.isSending ? .plain : .muted),
            ("", turns ? "turns \(figures.turn)" : "", .plain),
            ("\(state.link.rawValue) Hz", figures.rate, .plain), ("limits", figures.limits, .plain),
            ("frame", figures.frame, .plain), ("source", figures.source, .plain),
        ]
        for (row, line) in lines.prefix(area.rows).enumerated() {
            canvas.write(line.0, row: row, column: 1, in: area, .muted)
            // The names of some links are longer than the other labels.
            let column = max(8, line.0.cells + 2)
            let columns = max(0, area.columns - max(9, column))
            canvas.write(line.1.shortened(to: columns), row: row, column: column, in: area, line.2)
        }
    }

    // MARK: Foot

    /// Why steering last ended.
    static func lastStop(_ state: JoystickScreenState, columns: Int) -> Paragraph? {
        state.lastStop.map { Paragraph($0.text.wrapped(to: columns, atMost: footRows.stop), style($0.weight)) }
    }

    /// The command in progress, or the note on the input device.
    static func note(_ state: JoystickScreenState, columns: Int) -> Paragraph? {
        if let underWay = state.underWay {
            return Paragraph("\(underWay) (Esc: stop waiting)".wrapped(to: columns, atMost: footRows.note), .title)
        }
        return state.sourceNote.map {
            Paragraph($0.text.wrapped(to: columns, atMost: footRows.note), style($0.weight))
        }
    }

    /// The foot: the last stop, and below it the command in progress or the note on the input device, each with a row at least.
    static func foot(_ state: JoystickScreenState, columns: Int) -> [Paragraph] {
        [lastStop(state, columns: columns), note(state, columns: columns)].map { $0 ?? Paragraph([""]) }
    }
}
