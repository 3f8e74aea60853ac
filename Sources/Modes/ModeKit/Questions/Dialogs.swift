internal import TextScreen

/// Draws the dialogs: a prompt for a line of text, and a confirmation.
enum Dialogs {
    /// The areas of the answers, for clicks.
    struct Keys {
        var yes: ScreenArea?
        var no: ScreenArea?
    }

    static func draw(
        _ question: Question, field: TextField, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let columns = min(area.columns, 66)
        let width = max(1, columns - 4)
        let hints = question.hint.isEmpty ? [] : question.hint.wrapped(to: width)
        let notes = question.note.isEmpty ? [] : question.note.wrapped(to: width)
        let box = area.centred(rows: hints.count + notes.count + 5, columns: columns)
        canvas.fill(box)
        canvas.box(box, title: question.title, .tone(.accent))
        let inside = box.inset(top: 1, left: 2, bottom: 1, right: 2)
        var row = 0
        for line in hints.prefix(max(0, inside.rows - 3)) {
            canvas.write(line, row: row, in: inside, .muted)
            row += 1
        }
        field.draw(on: &canvas, in: inside.inset(top: row), hasFocus: true)
        row += 1
        for line in notes.prefix(max(0, inside.rows - row - 1)) {
            canvas.write(line, row: row, in: inside, .tone(.warning))
            row += 1
        }
        let bold = Style.plain.adding(.bold)
        canvas.write(
            [.init("Enter", bold), .init(" accept    "), .init("Esc", bold), .init(" cancel")], row: inside.rows - 1,
            in: inside)
    }

    static func draw(_ confirmation: ConfirmationRequest, on canvas: inout Canvas, in area: ScreenArea) -> Keys {
        let columns = min(area.columns, 66)
        let width = max(1, columns - 4)
        var lines: [[Canvas.Span]] = confirmation.facts.map { fact in
            let label = fact.label.fitted(to: 20)
            let gap = String(repeating: " ", count: max(1, 21 - label.cells))
            let value = fact.value.fitted(to: max(0, width - 23)) + (fact.isWarning ? " !" : "")
            return [.init(label + gap, .muted), .init(value, fact.isWarning ? .tone(.warning) : .plain)]
        }
        if !confirmation.findings.isEmpty { lines.append([]) }
        for finding in confirmation.findings {
            let style: Style = finding.isFailure ? .tone(.danger) : .tone(.warning)
            lines += "\(finding.isFailure ? "✗" : "!") \(finding.text)".wrapped(to: width).map { [.init($0, style)] }
        }
        let box = area.centred(rows: lines.count + 4, columns: columns)
        canvas.fill(box)
        let frame: Style = confirmation.needsForce ? .tone(.danger) : .tone(.warning)
        canvas.box(box, title: confirmation.title, frame, titleStyle: frame)
        canvas.cursor = nil
        let inside = box.inset(top: 1, left: 2, bottom: 1, right: 2)
        // The keys are always shown; the text is cut if necessary, marked by an ellipsis.
        let room = max(0, inside.rows - 2)
        if lines.count > room, room > 0 { lines = lines.prefix(room - 1) + [[.init("…", .muted)]] }
        for (row, line) in lines.enumerated() { canvas.write(line, row: row, in: inside) }
        return drawKeys(confirmation, on: &canvas, in: inside.inset(top: inside.rows - 1))
    }

    private static func drawKeys(
        _ confirmation: ConfirmationRequest, on canvas: inout Canvas, in line: ScreenArea
    ) -> Keys {
        let bold = Style.plain.adding(.bold)
        let yes: [Canvas.Span] =
            confirmation.needsForce
            ? [.init("F", bold), .init(" force despite failed check", .tone(.danger))]
            : [.init("y", bold), .init(" yes")]
        let end = canvas.write(yes, row: 0, in: line)
        let rest = line.inset(left: end + 4)
        let second = canvas.write([.init("n", bold), .init(" no")], row: 0, in: rest)
        // A click does not force: it may have been meant for something else.
        return Keys(yes: confirmation.needsForce ? nil : line.split(left: end).left, no: rest.split(left: second).left)
    }
}
