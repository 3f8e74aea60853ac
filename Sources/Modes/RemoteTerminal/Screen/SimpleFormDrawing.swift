internal import TextScreen

/// Draws the simple form: an input line, and the output below it.
struct SimpleFormDrawing {
    let state: SimpleFormState
    let input: TextField
    let search: TextField

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        canvas.fill(area)
        let (line, rest) = area.split(top: 1)
        drawInput(on: &canvas, in: line)
        canvas.write(String(repeating: "─", count: rest.columns), row: 0, in: rest, .muted)
        if state.isRunning { canvas.write(" running: Ctrl-C ends it ", row: 0, column: 2, in: rest, .tone(.accent)) }
        if state.linesBelow > 0 {
            canvas.writeRight(" \(state.linesBelow) lines below ", row: 0, margin: 2, in: rest, .tone(.accent))
        }
        drawOutput(on: &canvas, in: rest.inset(top: 1))
    }

    private func drawInput(on canvas: inout Canvas, in line: ScreenArea) {
        guard let history = state.search else {
            canvas.write("> ", row: 0, in: line, .title)
            return input.draw(on: &canvas, in: line.split(left: 2).rest, hasFocus: true)
        }
        let label = "history: "
        canvas.write(label, row: 0, in: line, .title)
        let rest = line.split(left: label.cells).rest
        let (field, found) = rest.split(left: min(24, rest.columns / 3))
        search.draw(on: &canvas, in: field, hasFocus: true)
        let text = history.line ?? "(nothing found)"
        canvas.write(
            text.fitted(to: found.columns - 2), row: 0, column: 2, in: found,
            history.line == nil ? .tone(.warning) : .plain)
    }

    private func drawOutput(on canvas: inout Canvas, in area: ScreenArea) {
        guard area.rows > 0, area.columns > 0 else { return }
        guard !state.lines.isEmpty else {
            // A search of the history has other keys.
            guard state.search == nil else { return }
            let hint = "Type a command and press Enter; its output appears here. ↑ and Ctrl-R recall earlier ones."
            canvas.writeParagraph(hint, in: area, .muted)
            return
        }
        var rows: [(text: String, style: Style)] = []
        let end = max(0, state.lines.count - state.linesBelow)
        for line in state.lines[..<end].reversed() {
            rows.insert(contentsOf: look(of: line, columns: area.columns), at: 0)
            if rows.count >= area.rows { break }
        }
        if rows.count < area.rows, state.isCut { rows.insert(("(older output was dropped)", .muted), at: 0) }
        for (row, line) in rows.suffix(area.rows).enumerated() {
            canvas.write(line.text, row: row, in: area, line.style)
        }
    }

    private func look(of line: OutputLine, columns: Int) -> [(text: String, style: Style)] {
        let (text, style): (String, Style) =
            switch line.kind {
            case .command: ("> " + line.text, .title)
            case .output: (line.text, .plain)
            // A prefix in addition to the colour.
            case .error: ("! " + line.text, .tone(.warning))
            case .ending(let isSuccess):
                isSuccess ? ("= " + line.text, .tone(.good)) : ("= " + line.text, .tone(.danger))
            case .note: ("(\(line.text))", .muted)
            }
        return Self.rows(text, columns).map { ($0, style) }
    }

    /// Broken at the last column, not at blanks, so that columns stay aligned.
    private static func rows(_ text: String, _ columns: Int) -> [String] {
        guard text.cells > columns else { return [text] }
        var rows: [String] = []
        var row = ""
        var used = 0
        for character in text {
            if used + character.cells > columns {
                rows.append(row)
                row = ""
                used = 0
            }
            row.append(character)
            used += character.cells
        }
        return rows + [row]
    }
}
