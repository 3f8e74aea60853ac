internal import ReportKit
internal import TextScreen
internal import UAVLink

/// Draws the two sticks, each as a square with a knob.
enum JoystickSticks {
    /// The least height of a stick's square with its frame, in rows, the usual one, and the greatest on a large screen; the line below
    /// it is extra.
    private static let rows = (least: 5, usual: 11, most: 21)
    /// The columns of the line below a stick, wider than a small square.
    private static let lineColumns = 21

    /// Draws both sticks side by side, where they leave space for the figures; returns the rest of the area.
    static func draw(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) -> ScreenArea {
        let half = (area.columns - 2) / 2
        let most = max(rows.usual, min(rows.most, (half - 3) / 2))
        let height = min(area.rows - JoystickStatus.figureRows - 1, most)
        guard height >= rows.least, area.columns >= 24 else { return area }
        let (top, rest) = area.split(top: height + 1)
        let (square, width) = (min(height * 2 + 3, half), min(max(height * 2 + 3, lineColumns), half))
        let layout = state.layout
        let sticks = state.sticks
        let left = ScreenArea(row: top.row, column: top.column + 1, rows: top.rows, columns: width)
        let right = ScreenArea(row: top.row, column: left.column + width + 1, rows: top.rows, columns: width)
        let labels = (Labels(layout.leftLabels, state.axes), Labels(layout.rightLabels, state.axes))
        stick(x: sticks.leftX, y: sticks.leftY, labels.0, square: square, on: &canvas, in: left)
        stick(x: sticks.rightX, y: sticks.rightY, labels.1, square: square, on: &canvas, in: right)
        return rest
    }

    /// The labels of a stick's axes; `nil` for an axis that the vehicle does not have.
    private struct Labels {
        let across: String?
        let up: String?

        init(_ labels: (across: String, up: String), _ axes: VehicleCapabilities.Steering.Axes) {
            across = axes.contains(label: labels.across) ? labels.across : nil
            up = axes.contains(label: labels.up) ? labels.up : nil
        }
    }

    private static func stick(
        x: Double, y: Double, _ words: Labels, square: Int, on canvas: inout Canvas, in area: ScreenArea
    ) {
        guard let title = words.up ?? words.across else { return }
        let (upper, line) = area.split(top: area.rows - 1)
        let inside = canvas.box(upper.split(left: square).left, title: title)
        let (middleRow, middleColumn) = (inside.rows / 2, inside.columns / 2)
        if words.across != nil {
            for column in 0..<inside.columns { canvas.write("·", row: middleRow, column: column, in: inside, .muted) }
        }
        if words.up != nil {
            for row in 0..<inside.rows { canvas.write("·", row: row, column: middleColumn, in: inside, .muted) }
        }
        let row = middleRow - Int(saturating: (y * Double(middleRow)).rounded())
        let column = middleColumn + Int(saturating: (x * Double(middleColumn)).rounded())
        canvas.write(
            "●", row: row, column: column, in: inside, x == 0 && y == 0 ? .plain : .tone(.accent).adding(.bold))
        let across = words.across.map { "\($0) \(percent(x))" }
        func values(_ up: String?) -> String {
            [across, up.map { "\($0) \(percent(y))" }].compactMap(\.self).joined(separator: " ")
        }
        let short = words.up == "forward" ? "fwd" : words.up
        canvas.write(String.fitting(line.columns, values(words.up), values(short)), row: 0, in: line)
    }

    private static func percent(_ value: Double) -> String {
        let whole = Int(saturating: (value * 100).rounded())
        return whole > 0 ? "+\(whole)" : "\(whole)"
    }
}

extension VehicleCapabilities.Steering.Axes {
    /// Whether the axis with this label of ``StickLayout`` is among them.
    fileprivate func contains(label: String) -> Bool {
        switch label {
        case "turn": contains(.turn)
        case "climb": contains(.climb)
        case "right": contains(.sideways)
        default: contains(.forward)
        }
    }
}
