internal import TextScreen
internal import UAVLink

/// The table of the drone's states: each with what leads from it to which others, the present one marked.
struct PlanStatesDrawing {
    private let table: PilotStates

    init(_ table: PilotStates) { self.table = table }

    /// A line of the table.
    struct Line: Equatable {
        /// The name; empty in a line that goes on with the arrows of the one above.
        var name: String
        var arrows: String
        var isPresent: Bool
    }

    private var nameColumns: Int { (table.states.map(\.name.cells).max() ?? 0) + 3 }

    /// What leads from a state to which others; empty for a state that is not in the table.
    func arrows(of index: Int, withEvents: Bool) -> String {
        guard table.states.indices.contains(index) else { return "" }
        var words: [String] = []
        for arrow in table.states[index].arrows where arrow.next != index {
            let next = table.states[arrow.next].name
            let word = withEvents ? "\(arrow.event) → \(next)" : next
            if !words.contains(word) { words.append(word) }
        }
        return (withEvents ? "" : "→ ") + words.joined(separator: ", ")
    }

    /// The table in so many columns and, if it can be, rows: what happens is left out where it does not fit, then the ends of all
    /// lines but those of the present state.
    func lines(columns: Int, rows: Int) -> [Line] {
        let width = max(1, columns - nameColumns)
        for withEvents in [true, false] {
            let lines = table.states.indices.flatMap { wrapped($0, withEvents, width) }
            if lines.count <= rows { return lines }
        }
        return table.states.indices.flatMap { index in
            guard index != table.current else { return wrapped(index, false, width) }
            let line = arrows(of: index, withEvents: false).shortened(to: width)
            return [Line(name: table.states[index].name, arrows: line, isPresent: false)]
        }
    }

    private func wrapped(_ index: Int, _ withEvents: Bool, _ width: Int) -> [Line] {
        let texts = arrows(of: index, withEvents: withEvents).wrapped(to: width)
        return (texts.isEmpty ? [""] : texts).enumerated().map { row, text in
            Line(name: row == 0 ? table.states[index].name : "", arrows: text, isPresent: index == table.current)
        }
    }

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        for (row, line) in lines(columns: area.columns, rows: area.rows).enumerated() where row < area.rows {
            let mark = line.isPresent && !line.name.isEmpty ? "●" : " "
            let style: Style = line.isPresent ? .title : .plain
            canvas.write("\(mark) \(line.name)", row: row, in: area, style)
            canvas.write(line.arrows, row: row, column: nameColumns, in: area, line.isPresent ? .plain : .muted)
        }
    }
}
