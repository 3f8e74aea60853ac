internal import ModeKit
internal import TextScreen
internal import UAVLink

/// Draws the parts of the mode.
enum RobotDrawing {
    static func drawHead(_ state: RobotScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        var column = 1
        for tab in RobotTab.allCases {
            let isOpen = tab == state.tab
            let title = " \(tab.title) "
            canvas.write(title, row: 0, column: column, in: area, isOpen ? .selected : .muted)
            column += title.count + 1
        }
        let (sign, tone) = indicator(state.indicator)
        canvas.write("\(sign) \(state.connection)", row: 1, column: 1, in: area, Style(.tone(tone)))
    }

    private static func indicator(_ indicator: RobotIndicator) -> (String, Tone) {
        switch indicator {
        case .off: ("○", .muted)
        case .searching, .starting: ("◐", .accent)
        case .ready: ("●", .good)
        case .lost: ("✕", .danger)
        }
    }

    /// What everyone who drives the robot must know: it is shown before all else.
    private static let warning =
        "The robot acknowledges nothing, and keeps what it was told last if the connection fails while it drives, "
        + "unless its own program stops it."

    static func drawConnection(_ state: RobotScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "Connection")
        let note = warning.wrapped(to: max(1, inside.columns - 2), atMost: inside.rows)
        var (rest, foot) = inside.split(top: inside.rows - note.count)
        for (row, line) in note.enumerated() { canvas.write(line, row: row, column: 1, in: foot, .muted) }
        let isCut = state.facts.count > rest.rows
        let shown = state.facts.prefix(isCut ? max(0, rest.rows - 1) : rest.rows)
        for (row, fact) in shown.enumerated() {
            canvas.write(fact.keys, row: row, column: 1, in: rest, .muted)
            canvas.write(
                fact.action.shortened(to: max(0, rest.columns - 15)), row: row, column: 14, in: rest, .plain)
        }
        if isCut, rest.rows > 0 {
            canvas.write(
                "… \(state.facts.count - shown.count) more: F1 shows all", row: rest.rows - 1, column: 1, in: rest,
                .muted)
        }
        rest = rest.inset(top: state.facts.count + 1)
        if let radio = state.radio, rest.rows > 0 { drawRadio(radio, on: &canvas, in: rest) }
    }

    /// What the part does not show whole in an area; for the help.
    static func details(_ state: RobotScreenState, in area: ScreenArea) -> [KeyHelp] {
        guard state.tab == .connection, state.obstacle == nil else { return [] }
        let (rows, columns) = (area.rows - 4, area.columns - 2)
        let needed = state.facts.count + 1 + warning.wrapped(to: max(1, columns - 2)).count
        let boards = state.radio.map { 2 + $0.boards.count } ?? 0
        let isCut = state.facts.contains { $0.action.cells > columns - 15 }
        guard needed + boards > rows || isCut else { return [] }
        return state.facts + (state.radio.map { [KeyHelp("Boards", $0.words)] + $0.boards } ?? [])
            + [KeyHelp("Note", warning)]
    }

    /// The most boards that are shown at once.
    private static let boardRows = 5

    private static func drawRadio(_ radio: RobotRadioView, on canvas: inout Canvas, in area: ScreenArea) {
        canvas.write("Boards", row: 0, column: 1, in: area, .muted)
        canvas.write(
            radio.words.shortened(to: max(0, area.columns - 15)), row: 0, column: 14, in: area,
            radio.isScanning ? Style(.tone(.accent)) : .plain)
        let (_, below) = area.split(top: 1)
        let rows = min(boardRows, max(0, below.rows), radio.boards.count)
        let list = below.split(top: rows).top
        let window = ListWindow(count: radio.boards.count, rows: rows, around: radio.selected)
        for index in window.shown {
            let board = radio.boards[index]
            let row = index - window.first
            let style: Style = index == radio.selected ? .selected : .plain
            canvas.write(
                " \(board.keys)  \(board.action) ".shortened(to: max(0, list.columns - 14)), row: row, column: 13,
                in: list, style)
        }
    }

    static func drawTasks(_ state: RobotScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "Tasks of the robot's program")
        let window = ListWindow(count: state.tasks.count, rows: inside.rows, around: state.selected)
        for index in window.shown {
            let task = state.tasks[index]
            let row = index - window.first
            let style: Style = index == state.selected ? .selected : .plain
            if index == state.selected { canvas.fill(inside.inset(top: row).split(top: 1).top, " ", .selected) }
            let mark = index == state.active ? "▶" : " "
            canvas.write(" \(mark) \(task.text)", row: row, in: inside, style)
            canvas.write(
                task.name.sanitizedLine.shortened(to: max(0, inside.columns - 22)), row: row, column: 21, in: inside,
                style)
        }
        canvas.drawMarks(of: window, on: area)
        if state.tasks.isEmpty {
            canvas.write("no tasks: a adds one, R restores the list", row: 0, column: 1, in: inside)
        }
    }

    static func drawControl(_ state: RobotScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "Control")
        guard inside.rows >= controlRows else { return drawSmallControl(state, on: &canvas, in: inside) }
        canvas.write("Task      \(state.currentTask ?? "not known")", row: 0, column: 1, in: inside, .plain)
        let pad: [(RobotDirection, String, Int, Int)] = [
            (.forward, "▲", 2, 7), (.left, "◀", 3, 3), (.right, "▶", 3, 11), (.back, "▼", 4, 7),
        ]
        for (direction, sign, row, column) in pad {
            let isHeld = state.direction == direction
            canvas.write(" \(sign) ", row: row, column: column, in: inside, isHeld ? .selected : .muted)
        }
        canvas.write(" ■ ", row: 3, column: 7, in: inside, state.direction == nil ? Style(.tone(.good)) : .muted)
        canvas.write(directionWords(state), row: 3, column: 17, in: inside, .plain)
        canvas.write(speed(state, columns: inside.columns - 2), row: 6, column: 1, in: inside, .plain)
        canvas.write(
            functions(state).shortened(to: max(0, inside.columns - 2)), row: 8, column: 1, in: inside, .muted)
        if let controller = state.controller {
            canvas.write(
                "Controller \(controller)".shortened(to: max(0, inside.columns - 2)), row: 9, column: 1, in: inside,
                .muted)
        }
        canvas.write(
            lastLine(state).shortened(to: max(0, inside.columns - 2)), row: inside.rows - 1, column: 1, in: inside,
            Style(.tone(.accent)))
    }

    /// The fewest rows in which each line of the part has its place.
    private static let controlRows = 11

    /// In fewer rows all of it stands in lines; what does not fit is left out, the least important first.
    private static func drawSmallControl(_ state: RobotScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let columns = max(0, area.columns - 2)
        var lines: [(rank: Int, text: String, style: Style)] = [
            (3, "Task      \(state.currentTask ?? "not known")", .plain),
            (0, "Drives    \(directionWords(state))", state.direction == nil ? .plain : .selected),
            (1, speed(state, columns: columns), .plain), (4, functions(state), .muted),
        ]
        if let controller = state.controller { lines.append((5, "Controller \(controller)", .muted)) }
        lines.append((2, lastLine(state), Style(.tone(.accent))))
        let kept = lines.filter { $0.rank < max(0, area.rows) || lines.count <= area.rows }
        for (row, line) in kept.enumerated() {
            canvas.write(line.text.shortened(to: columns), row: row, column: 1, in: area, line.style)
        }
    }

    private static func functions(_ state: RobotScreenState) -> String {
        let functions: [(Int, RobotProgram.Key)] = [(1, .f1), (2, .f2), (3, .f3), (4, .f4)]
        return functions.map { "\($0.0): F\($0.0) \"\(state.keyTexts[$0.1] ?? "")\"" }.joined(separator: "   ")
    }

    private static func lastLine(_ state: RobotScreenState) -> String {
        state.lastLine.map { "Robot     \($0)" } ?? "Robot     has said nothing"
    }

    private static func directionWords(_ state: RobotScreenState) -> String {
        switch state.direction {
        case .forward: "forward"
        case .back: "back"
        case .left: "left"
        case .right: "right"
        case nil: "nothing held"
        }
    }

    /// Columns of the speed's bar, where there is space for it.
    private static let barColumns = 32

    /// The speed: its figure is there in any width.
    private static func speed(_ state: RobotScreenState, columns: Int) -> String {
        let figure = "\(state.speed) of \(state.mostSpeed)"
        let bar = min(barColumns, columns - 11 - figure.count)
        guard bar > 0 else { return "Speed     \(figure)" }
        let filled = state.mostSpeed > 0 ? min(bar, max(0, state.speed * bar / state.mostSpeed)) : 0
        return "Speed     " + String(repeating: "█", count: filled) + String(repeating: "░", count: bar - filled)
            + " \(figure)"
    }

    static func drawConsole(
        _ state: RobotScreenState, _ line: TextField, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let (list, foot) = area.split(top: max(0, area.rows - 1))
        let inside = canvas.box(list, title: state.isHex ? "Console, hexadecimal" : "Console")
        let shown = consoleLines(state, columns: max(1, inside.columns - 13), rows: inside.rows)
        var row = shown.firstRow
        for (line, texts) in shown.lines {
            canvas.writeRight(line.time, row: row, margin: max(0, inside.columns - 9), in: inside, .muted)
            let style: Style =
                switch line.kind {
                case .sent: Style(.tone(.accent))
                case .received: .plain
                case .status: Style(.tone(.muted))
                }
            canvas.write(RobotTexts.sign(line.kind), row: row, column: 10, in: inside, style)
            for text in texts {
                canvas.write(text, row: row, column: 12, in: inside, style)
                row += 1
            }
        }
        let window = ListWindow(count: state.lines.count, rows: shown.lines.count, first: shown.first)
        canvas.drawMarks(of: window, on: list)
        canvas.write(state.isHex ? "Bytes " : "Text  ", row: 0, column: 1, in: foot, .muted)
        line.draw(on: &canvas, in: foot.inset(left: 7, right: 1), hasFocus: true)
    }

    /// The lines that fill the rows, each with as many of them as it needs: up to the one that is scrolled to, or from the first on.
    private static func consoleLines(
        _ state: RobotScreenState, columns: Int, rows: Int
    ) -> (first: Int, firstRow: Int, lines: [(RobotConsoleLine, [String])]) {
        var lines: [(RobotConsoleLine, [String])] = []
        var used = 0
        func texts(_ line: RobotConsoleLine) -> [String] {
            // As it is where it fits: its blanks may be columns.
            line.text.cells <= columns ? [line.text] : line.text.wrapped(to: columns)
        }
        let last = max(0, min(state.lines.count, state.lines.count - state.scrolled))
        for line in state.lines[..<last].reversed() where used < rows {
            lines.append((line, texts(line)))
            used += lines[lines.count - 1].1.count
        }
        let (first, firstRow) = (last - lines.count, min(0, rows - used))
        lines.reverse()
        for line in state.lines[last...] where used < rows {
            lines.append((line, texts(line)))
            used += lines[lines.count - 1].1.count
        }
        return (first, firstRow, lines)
    }
}
