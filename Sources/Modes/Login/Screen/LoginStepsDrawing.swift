internal import TextScreen
internal import UAVLink
internal import VehicleAccess

/// The steps of a log-in: a mark, a name and the outcome of each, on as many lines as there are.
struct LoginStepsDrawing {
    /// Where the words begin.
    private static let wordColumn = 13

    private let steps: [LoginStep]

    /// The drawing of the steps of one log-in.
    init(_ steps: LoginSteps) { self.steps = steps.all }

    /// The number of lines that show everything.
    func fullRows(columns: Int) -> Int { steps.reduce(0) { $0 + words(of: $1, columns: columns, atMost: .max).count } }

    /// The step that runs or failed; between two steps the one that ended last.
    private var current: Int {
        steps.firstIndex { $0.state == .failed || $0.state == .underWay } ?? steps.lastIndex { $0.state != .pending }
            ?? 0
    }

    /// Draws the steps; where lines are short, those around the one that runs, and what failed has more of them.
    ///
    /// - Returns: whether something is not shown, and the steps that are.
    @discardableResult
    func draw(on canvas: inout Canvas, in area: ScreenArea) -> (isCut: Bool, window: ListWindow) {
        let most = rowsOfSteps(columns: area.columns, rows: area.rows)
        let window = ListWindow(count: steps.count, rows: area.rows, around: current)
        var row = 0
        for index in window.shown {
            let step = steps[index]
            let (mark, style) = Self.mark(step.state)
            canvas.write("\(mark) \(step.title)", row: row, in: area, style)
            for line in words(of: step, columns: area.columns, atMost: most[index]) {
                canvas.write(
                    line, row: row, column: Self.wordColumn, in: area, step.state == .failed ? style : .muted)
                row += 1
            }
        }
        return (fullRows(columns: area.columns) > area.rows, window)
    }

    /// The lines that each step gets: one, and more while there are any.
    private func rowsOfSteps(columns: Int, rows: Int) -> [Int] {
        var spare = max(0, rows - steps.count)
        var most = steps.map { _ in 1 }
        let order =
            steps.indices.filter { steps[$0].state == .failed } + steps.indices.filter { steps[$0].state != .failed }
        for index in order {
            let wanted = words(of: steps[index], columns: columns, atMost: .max).count - 1
            most[index] += min(wanted, spare)
            spare -= min(wanted, spare)
        }
        return most
    }

    /// At least one line, which may be empty.
    private func words(of step: LoginStep, columns: Int, atMost most: Int) -> [String] {
        let text = step.word.isEmpty ? step.state.word : step.word.sanitizedLine
        return text.wrapped(to: max(1, columns - Self.wordColumn), atMost: most)
    }

    private static func mark(_ state: LoginStep.State) -> (String, Style) {
        switch state {
        case .pending: ("·", .muted)
        case .underWay: ("…", .title)
        case .done: ("✓", .tone(.good))
        case .skipped: ("–", .muted)
        case .failed: ("✗", .tone(.danger))
        }
    }
}
