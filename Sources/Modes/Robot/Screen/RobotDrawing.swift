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

    static func drawConnection(_ state: RobotScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "Connection")
        for (row, fact) in state.facts.enumerated() {
            canvas.write(fact.keys, row: row, column: 1, in: inside, .muted)
            canvas.write(
                fact.action.shortened(to: max(0, inside.columns - 15)), row: row, column: 14, in: inside, .plain)
        }
        let note =
            "The robot acknowledges nothing, and keeps what it was told last if the connection fails while it drives, "
            + "unless its own program stops it."
        var (_, rest) = inside.split(top: state.facts.count + 1)
        if let radio = state.radio { rest = drawRadio(radio, on: &canvas, in: rest) }
        canvas.writeParagraph(note, in: rest.inset(left: 1, right: 1), .muted)
    }

    /// The most boards that are shown at once.
    private static let boardRows = 5

    /// - Returns: the rows below.
    private static func drawRadio(
        _ radio: RobotRadioView, on canvas: inout Canvas, in area: ScreenArea
    ) -> ScreenArea {
        canvas.write("Boards", row: 0, column: 1, in: area, .muted)
        canvas.write(
            radio.words.shortened(to: max(0, area.columns - 15)), row: 0, column: 14, in: area,
            radio.isScanning ? Style(.tone(.accent)) : .plain)
        let (_, below) = area.split(top: 1)
        let rows = min(boardRows, max(0, below.rows - 4), radio.boards.count)
        let (list, rest) = below.split(top: rows)
        let window = ListWindow(count: radio.boards.count, rows: rows, around: radio.selected)
        for index in window.shown {
            let board = radio.boards[index]
            let row = index - window.first
            let style: Style = index == radio.selected ? .selected : .plain
            canvas.write(
                " \(board.keys)  \(board.action) ".shortened(to: max(0, list.columns - 14)), row: row, column: 13,
                in: list, style)
        }
        return rest.inset(top: 1)
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
        drawSpeed(state, on: &canvas, in: inside)
        let functions: [(Int, RobotProgram.Key)] = [(1, .f1), (2, .f2), (3, .f3), (4, .f4)]
        let texts = functions.map { "\($0.0): F\($0.0) \"\(state.keyTexts[$0.1] ?? "")\"" }.joined(separator: "   ")
        canvas.write(texts.shortened(to: max(0, inside.columns - 2)), row: 8, column: 1, in: inside, .muted)
        if let controller = state.controller {
            canvas.write(
                "Controller \(controller)".shortened(to: max(0, inside.columns - 2)), row: 9, column: 1, in: inside,
                .muted)
        }
        let last = state.lastLine.map { "Robot     \($0)" } ?? "Robot     has said nothing"
        let row = max(10, inside.rows - 1)
        canvas.write(
            last.shortened(to: max(0, inside.columns - 2)), row: min(row, max(0, inside.rows - 1)), column: 1,
            in: inside, Style(.tone(.accent)))
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

    /// Columns of the speed's bar.
    private static let barColumns = 32

    private static func drawSpeed(_ state: RobotScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let filled = state.mostSpeed > 0 ? min(barColumns, state.speed * barColumns / state.mostSpeed) : 0
        let bar =
            String(repeating: "█", count: max(0, filled)) + String(repeating: "░", count: barColumns - max(0, filled))
        canvas.write("Speed     \(bar) \(state.speed) of \(state.mostSpeed)", row: 6, column: 1, in: area, .plain)
    }

    static func drawConsole(
        _ state: RobotScreenState, _ line: TextField, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let (list, foot) = area.split(top: max(0, area.rows - 1))
        let inside = canvas.box(list, title: state.isHex ? "Console, hexadecimal" : "Console")
        let window = ListWindow(
            count: state.lines.count, rows: inside.rows, first: state.lines.count - inside.rows - state.scrolled)
        for index in window.shown {
            let shown = state.lines[index]
            let row = index - window.first
            canvas.writeRight(shown.time, row: row, margin: max(0, inside.columns - 9), in: inside, .muted)
            let style: Style =
                switch shown.kind {
                case .sent: Style(.tone(.accent))
                case .received: .plain
                case .status: Style(.tone(.muted))
                }
            canvas.write(
                "\(RobotTexts.sign(shown.kind)) \(shown.text)".shortened(to: max(0, inside.columns - 11)), row: row,
                column: 10, in: inside, style)
        }
        canvas.drawMarks(of: window, on: list)
        canvas.write(state.isHex ? "Bytes " : "Text  ", row: 0, column: 1, in: foot, .muted)
        line.draw(on: &canvas, in: foot.inset(left: 7, right: 1), hasFocus: true)
    }
}
