package import TextScreen

/// The box of a question over a screen: what it is about, in lines that scroll where they do not fit, and the answers below them.
package struct QuestionBox: Hashable, Sendable {
    /// The widest box, columns.
    package static let widest = 66

    package var title: String
    /// The lines; wrapped to ``width(in:)``.
    package var lines: [[Canvas.Span]]
    package var answers: ConfirmationAnswers
    /// The tone of the frame.
    package var tone: Tone
    /// Whether a line of text is typed above the answers: see ``field(in:)``.
    package var hasField: Bool

    package init(
        title: String, lines: [[Canvas.Span]], answers: ConfirmationAnswers, tone: Tone = .warning,
        hasField: Bool = false
    ) {
        (self.title, self.lines, self.answers, self.tone, self.hasField) = (title, lines, answers, tone, hasField)
    }

    /// The columns of a line in the box that is drawn in an area.
    package static func width(in area: ScreenArea) -> Int { max(1, min(area.columns, widest) - 4) }

    /// A title that is too long for the frame stands above the lines, parted from them where all of it fits.
    private func allLines(in area: ScreenArea) -> [[Canvas.Span]] {
        guard !isTitleInFrame(area) else { return lines }
        let above = title.wrapped(to: Self.width(in: area)).map { [Canvas.Span($0, Style.plain.adding(.bold))] }
        let fits = above.count + 1 + lines.count <= area.rows - 2 - fixedRows(in: area)
        return above + (fits ? [[]] : []) + lines
    }

    /// The rows that are always shown: the answers, and the line that is typed.
    private func fixedRows(in area: ScreenArea) -> Int {
        answers.rows(columns: Self.width(in: area)) + (hasField ? 2 : 0)
    }

    private func isTitleInFrame(_ area: ScreenArea) -> Bool { title.cells <= min(area.columns, Self.widest) - 6 }

    private struct Layout {
        var box: ScreenArea
        var text: ScreenArea
        var answers: ScreenArea
    }

    /// The answers, and the line that is typed, are always shown; a blank line parts them from the text if there is space.
    private func layout(in area: ScreenArea) -> Layout {
        let answerRows = answers.rows(columns: Self.width(in: area))
        let fixedRows = fixedRows(in: area)
        let count = allLines(in: area).count
        let box = area.centred(
            rows: count + (count > 0 ? 1 : 0) + fixedRows + 2, columns: min(area.columns, Self.widest))
        let inside = box.inset(top: 1, left: 2, bottom: 1, right: 2)
        let (text, rest) = inside.split(top: min(count, max(0, inside.rows - fixedRows)))
        return Layout(box: box, text: text, answers: rest.inset(top: max(0, rest.rows - answerRows)))
    }

    /// Where the line is typed; `nil` without one.
    package func field(in area: ScreenArea) -> ScreenArea? {
        guard hasField else { return nil }
        let answers = layout(in: area).answers
        return ScreenArea(row: answers.row - 2, column: answers.column, rows: 1, columns: answers.columns)
    }

    private func window(_ scroll: Int, in area: ScreenArea) -> ListWindow {
        ListWindow(count: allLines(in: area).count, rows: layout(in: area).text.rows, first: scroll)
    }

    /// Draws the box; `scroll` is the number of lines above the first one shown.
    @discardableResult
    package func draw(on canvas: inout Canvas, in area: ScreenArea, scroll: Int = 0) -> ConfirmationAnswers.Places {
        let layout = layout(in: area)
        canvas.fill(layout.box)
        canvas.box(
            layout.box, title: isTitleInFrame(area) ? title : "", .tone(tone), titleStyle: .tone(tone))
        canvas.cursor = nil
        let window = window(scroll, in: area)
        for (row, line) in allLines(in: area)[window.shown].enumerated() {
            canvas.write(line, row: row, in: layout.text)
        }
        canvas.drawMarks(of: window, on: layout.box)
        return answers.draw(on: &canvas, in: layout.answers)
    }

    /// Whether not all of the text fits in an area: the keys of the question say then that it scrolls.
    package func scrolls(in area: ScreenArea) -> Bool {
        let window = window(0, in: area)
        return window.rows > 0 && window.below > 0
    }

    /// That a text scrolls, for the line of keys.
    package static let scrollHelp = KeyHelp("↑ ↓", "more of the text")

    /// The scroll after a key or a turn of the wheel; `nil` if it does not scroll here.
    package func scrolled(by event: InputEvent, from scroll: Int, in area: ScreenArea) -> Int? {
        let window = window(scroll, in: area)
        guard window.above + window.below > 0, let change = step(by: event, window) else { return nil }
        return ListWindow(count: window.count, rows: window.rows, first: window.first + change).first
    }

    private func step(by event: InputEvent, _ window: ListWindow) -> Int? {
        switch event {
        case .key(let key) where key.phase != .release && key.modifiers.isEmpty:
            switch key.key {
            case .up: -1
            case .down: 1
            case .pageUp: -max(1, window.rows - 1)
            case .pageDown: max(1, window.rows - 1)
            // In a line of text they move the cursor.
            case .home where !hasField: -window.count
            case .end where !hasField: window.count
            default: nil
            }
        case .mouse(let mouse) where mouse.action == .wheelUp: -1
        case .mouse(let mouse) where mouse.action == .wheelDown: 1
        default: nil
        }
    }
}
