internal import TextScreen

/// Draws the history of a figure as a chart, with its scale at the left and the newest value above.
struct FigureChart {
    let history: SparklineHistory
    /// Whether the times are written below.
    var hasTimes = false

    /// The fewest lines in which a chart says more than a row of bars.
    static let fewestRows = 5
    /// The columns of the scale.
    private static let scaleColumns = 10
    /// The history's steps per minute.
    private static let stepsPerMinute = 120

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        canvas.write(history.label, row: 0, in: area, .title)
        let words = history.range.isEmpty ? history.newest : "\(history.newest)  (\(history.range))"
        canvas.writeRight(
            words.fitted(to: max(0, area.columns - history.label.cells - 2)), row: 0, in: area,
            history.newest == "-" ? .muted : .plain)
        let (upper, times) = area.inset(top: 1).split(top: area.rows - (hasTimes ? 2 : 1))
        let (labels, inside) = upper.split(left: Self.scaleColumns)
        guard inside.columns > 4, inside.rows > 1 else { return }
        drawScale(on: &canvas, labels)
        plot(on: &canvas, in: inside)
        guard hasTimes, times.rows > 0 else { return }
        let line = times.inset(left: Self.scaleColumns)
        canvas.write("-60 s", row: 0, in: line, .muted)
        canvas.write("-30 s", row: 0, column: max(0, line.columns / 2 - 2), in: line, .muted)
        canvas.writeRight("now", row: 0, in: line, .muted)
    }

    private var scale: AxisScale? { AxisScale(history.values.compactMap(\.self), minimumSpan: history.minimumSpan) }

    private func drawScale(on canvas: inout Canvas, _ area: ScreenArea) {
        for row in 0..<area.rows {
            canvas.writeRight(row == 0 || row == area.rows - 1 ? "┤" : "│", row: row, in: area, .muted)
        }
        guard let scale else { return }
        for (row, value) in [(0, scale.high), (area.rows - 1, scale.low)] {
            let label = "\(scale.label(value)) \(history.unit)"
            canvas.writeRight(label.fitted(to: area.columns - 2), row: row, margin: 2, in: area, .muted)
        }
    }

    private func plot(on canvas: inout Canvas, in area: ScreenArea) {
        guard let scale else {
            canvas.write(history.lack, row: area.rows / 2, column: 1, in: area, .muted)
            return
        }
        var plot = BraillePlot(ScreenSize(rows: area.rows, columns: area.columns))
        let (width, height) = (Double(plot.width - 1), Double(plot.height - 1))
        var last: (x: Double, y: Double)?
        for (index, value) in history.values.enumerated() {
            guard let value, value.isFinite else {
                last = nil
                continue
            }
            let age = Double(history.values.count - 1 - index) / Double(Self.stepsPerMinute)
            let dot = (x: (1 - age) * width, y: (1 - scale.share(of: value)) * height)
            let from = last ?? dot
            plot.line(fromX: from.x, y: from.y, toX: dot.x, y: dot.y, .tone(.second))
            last = dot
        }
        plot.draw(on: &canvas, in: area)
    }
}
