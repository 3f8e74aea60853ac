internal import TerminalEmulation
internal import TextScreen

/// Draws the shell's form.
struct ShellFormDrawing {
    let state: TerminalScreenState
    let search: TextField

    private var shell: ShellFormState { state.shell }

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        canvas.fill(area)
        for (row, line) in shell.picture.lines.prefix(area.rows).enumerated() {
            draw(line, row: row, on: &canvas, in: area)
        }
        mark(on: &canvas, in: area)
        if shell.connection == .open, shell.search == nil, shell.pasteLines == nil, let cursor = shell.picture.cursor,
            cursor.row < area.rows, cursor.column < area.columns
        {
            canvas.cursor = (area.row + cursor.row, area.column + cursor.column)
        }
        drawMessage(on: &canvas, in: area)
    }

    private func draw(_ line: TerminalLine, row: Int, on canvas: inout Canvas, in area: ScreenArea) {
        for (column, cell) in line.cells.prefix(area.columns).enumerated() where cell.width > 0 {
            let style = CellAppearance.style(cell.style)
            let isWide = cell.width == 2 && column + 1 < area.columns
            let character = CellAppearance.character(cell, isWide: isWide)
            canvas[area.row + row, area.column + column] = Cell(character, style)
            guard isWide else { continue }
            canvas[area.row + row, area.column + column + 1] =
                Cell(character.cells == 2 ? Cell.continuation : " ", style)
        }
    }

    /// Highlights matches of the search; the newest match is underlined, too.
    private func mark(on canvas: inout Canvas, in area: ScreenArea) {
        guard let search = shell.search, !search.text.isEmpty else { return }
        for (row, line) in shell.picture.lines.prefix(area.rows).enumerated() {
            let isFound = shell.picture.firstLine + row == search.line
            for place in line.places(of: search.text) where place.lowerBound < area.columns {
                let part = ScreenArea(
                    row: area.row + row, column: area.column + place.lowerBound, rows: 1,
                    columns: min(place.upperBound, area.columns) - place.lowerBound)
                canvas.restyle(part) { _ in isFound ? Style(.standard, [.reverse, .bold, .underline]) : .selected }
            }
        }
    }

    private func drawMessage(on canvas: inout Canvas, in area: ScreenArea) {
        if let lines = shell.pasteLines {
            return box(
                "Paste \(lines) lines into the shell?",
                "The program in it cannot tell pasted text from typed: each line would be executed immediately.",
                "y: paste   n or Esc: nothing is pasted", .warning, on: &canvas, in: area)
        }
        switch shell.connection {
        case .connecting:
            box("Terminal", "opening a shell on \(state.place)...", "F9: leave", .accent, on: &canvas, in: area)
        case .open: break
        case .ended(let ending):
            box(
                "The shell has ended", ending.words, "Enter: a new shell   F9: leave", .accent, on: &canvas, in: area)
        case .lost(let why):
            box("No connection", why, "Enter: connect again   F9: leave", .danger, on: &canvas, in: area)
        }
    }

    /// At the lower edge, so that it covers the end of the output, not its beginning.
    private func box(
        _ title: String, _ text: String, _ keys: String, _ tone: Tone, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let width = min(area.columns, 64)
        let lines = text.wrapped(to: width - 4)
        let height = min(lines.count + 3, area.rows)
        let place = area.inset(top: area.rows - height).centred(rows: height, columns: width)
        canvas.fill(place)
        let inside = canvas.box(place, title: title, .tone(tone), titleStyle: .tone(tone).adding(.bold))
        for (row, line) in text.wrapped(to: width - 4, atMost: max(0, inside.rows - 1)).enumerated() {
            canvas.write(line, row: row, column: 1, in: inside)
        }
        canvas.write(keys.shortened(to: inside.columns - 2), row: inside.rows - 1, column: 1, in: inside, .title)
    }
}

/// The appearance of an emulated cell on our screen.
enum CellAppearance {
    /// The two terminals may disagree on a character's width. The program's assumption counts: a wider character loses
    /// its combining marks and, if that is not enough, is replaced.
    static func character(_ cell: TerminalCell, isWide: Bool) -> Character {
        let character = cell.character
        guard character.cells > (isWide ? 2 : 1) || (cell.width == 2 && !isWide) else { return character }
        let bare = character.unicodeScalars.first.map { Character($0) } ?? " "
        return bare.cells == 1 && cell.width == 1 ? bare : "\u{FFFD}"
    }

    static func style(_ style: TerminalStyle) -> Style {
        guard style != .plain else { return .plain }
        var attributes: Style.Attributes = []
        if style.attributes.contains(.bold) { attributes.insert(.bold) }
        if style.attributes.contains(.italic) { attributes.insert(.italic) }
        if style.attributes.contains(.underline) { attributes.insert(.underline) }
        if style.attributes.contains(.blink) { attributes.insert(.blink) }
        if style.attributes.contains(.reverse) { attributes.insert(.reverse) }
        if style.attributes.contains(.strike) { attributes.insert(.strike) }
        return Style(color(style.foreground), on: color(style.background), attributes)
    }

    private static func color(_ color: TerminalColor) -> Color {
        switch color {
        case .standard: .standard
        case .indexed(let number): .indexed(number)
        case .rgb(let red, let green, let blue): .rgb(red, green, blue)
        }
    }
}
