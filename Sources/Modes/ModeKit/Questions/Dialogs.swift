internal import TextScreen

/// Draws a prompt for a line of text, and makes the box of a confirmation.
enum Dialogs {
    /// Draws a prompt; `note` is the problem with the last answer.
    static func draw(
        _ question: Question, note: String, field: TextField, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let width = QuestionBox.width(in: area)
        let abouts = question.about.isEmpty ? [] : question.about.wrapped(to: width)
        let examples = question.example.isEmpty ? [] : question.example.wrapped(to: width)
        let notes = note.isEmpty ? [] : note.wrapped(to: width)
        let box = area.centred(
            rows: abouts.count + examples.count + notes.count + 5, columns: min(area.columns, QuestionBox.widest))
        canvas.fill(box)
        canvas.box(box, title: question.title, .tone(.accent))
        let inside = box.inset(top: 1, left: 2, bottom: 1, right: 2)
        var row = 0
        for line in (abouts + examples).prefix(max(0, inside.rows - 2 - min(1, notes.count))) {
            canvas.write(line, row: row, in: inside, .muted)
            row += 1
        }
        field.draw(on: &canvas, in: inside.inset(top: row), hasFocus: true)
        row += 1
        for line in note.wrapped(to: width, atMost: notes.isEmpty ? 0 : max(0, inside.rows - row - 1)) {
            canvas.write(line, row: row, in: inside, .tone(.warning))
            row += 1
        }
        let bold = Style.plain.adding(.bold)
        canvas.write(
            [.init("Enter", bold), .init(" accept    "), .init("Esc", bold), .init(" cancel")], row: inside.rows - 1,
            in: inside)
    }

    private static let labelColumns = 21

    /// The box of a confirmation for an area.
    static func box(_ confirmation: ConfirmationRequest, in area: ScreenArea) -> QuestionBox {
        let width = QuestionBox.width(in: area)
        var lines: [[Canvas.Span]] = []
        // They come first: on a small terminal what is below them is scrolled to.
        for finding in confirmation.findings {
            let style: Style = finding.isFailure ? .tone(.danger) : .tone(.warning)
            lines += "\(finding.isFailure ? "✗" : "!") \(finding.text)".wrapped(to: width).map { [.init($0, style)] }
        }
        if !confirmation.facts.isEmpty, !lines.isEmpty { lines.append([]) }
        lines += confirmation.facts.flatMap { self.lines(of: $0, width: width) }
        return QuestionBox(
            title: confirmation.title, lines: lines, answers: confirmation.answers,
            tone: confirmation.needsForce ? .danger : .warning)
    }

    /// A value that is too long for the rest of its line is continued below.
    private static func lines(of fact: LabeledValue, width: Int) -> [[Canvas.Span]] {
        let label = fact.label.fitted(to: labelColumns - 1)
        let style: Style = fact.isWarning ? .tone(.warning) : .plain
        let values = (fact.value + (fact.isWarning ? " !" : "")).wrapped(to: max(1, width - labelColumns))
        return values.enumerated().map { row, value in
            let start = row == 0 ? label : ""
            let gap = String(repeating: " ", count: labelColumns - start.cells)
            return [.init(start + gap, .muted), .init(value, style)]
        }
    }
}
