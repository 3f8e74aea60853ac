package import LatencyMeasurement
internal import LatencyStatistics
internal import ReportKit
package import TextScreen

/// The latency distributions of one kind as braille curves: latency on a logarithmic x axis, the number of nines of the
/// percentile on the y axis, which gives the tail as much space as the rest. Each curve is labelled with its link.
package enum LatencyPlot {
    /// Draws the curves of a condition; nothing when the area is smaller than 20 columns by 4 lines or there are no samples.
    package static func draw(
        _ kind: SeriesKind, of condition: LatencySummary.Condition, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let curves = condition.links.compactMap { link in
            link[kind].map { (name: link.name, points: TailCurve($0.samples, lost: $0.lostCount).points) }
        }
        let milliseconds = curves.flatMap { $0.points.map { Double($0.nanoseconds) / 1e6 } }
        guard area.columns >= 20, area.rows >= 4, let axis = LogAxis(milliseconds) else { return }
        let most = max(1, curves.compactMap { $0.points.last?.nines }.max() ?? 1)
        let inner = ScreenArea(
            row: area.row, column: area.column + 9, rows: area.rows - 1, columns: area.columns - 9)
        scales(axis, most, inner, on: &canvas, in: area)
        var plot = BraillePlot(ScreenSize(rows: inner.rows, columns: inner.columns))
        func place(_ point: TailCurve.Point) -> (x: Double, y: Double) {
            (
                axis.share(Double(point.nanoseconds) / 1e6) * Double(plot.width - 1),
                (1 - point.nines / most) * Double(plot.height - 1)
            )
        }
        for (index, curve) in curves.enumerated() {
            let style = Self.style(index)
            for (from, to) in zip(curve.points, curve.points.dropFirst()) {
                let (start, end) = (place(from), place(to))
                plot.line(fromX: start.x, y: start.y, toX: end.x, y: end.y, style)
            }
        }
        plot.draw(on: &canvas, in: inner)
        for (index, curve) in curves.enumerated() {
            guard let last = curve.points.last else { continue }
            let end = place(last)
            let label = Self.label(
                curve.name.count, nearRow: Int(saturating: end.y) / 4, column: Int(saturating: end.x) / 2 + 2,
                on: canvas, in: inner)
            canvas.write(curve.name, row: label.row, column: label.column, in: inner, style(index))
        }
    }

    /// Where a label of so many columns covers neither a curve nor another label, nearest to a place; in the area's
    /// coordinates. Where there is no such place, it covers curves, but no label.
    private static func label(
        _ length: Int, nearRow row: Int, column: Int, on canvas: Canvas, in area: ScreenArea
    ) -> (row: Int, column: Int) {
        let last = max(0, area.columns - length)
        let wanted = (row: min(row, area.rows - 1), column: min(column, last))
        func isCurve(_ character: Character) -> Bool { ("\u{2800}"..."\u{28FF}").contains(character) }
        for coversCurves in [false, true] {
            var nearest: (distance: Int, row: Int, column: Int)?
            for row in 0..<area.rows {
                var free = 0
                // One blank on each side, where the area has it.
                for next in 0...area.columns {
                    let character = next < area.columns ? canvas[area.row + row, area.column + next].character : " "
                    free = character == " " || coversCurves && isCurve(character) ? free + 1 : 0
                    let begin = next - length
                    guard begin >= 0, begin <= last, free >= min(length + 2, next + 1) else { continue }
                    // A row is about twice as high as a column is wide.
                    let distance = 2 * abs(row - wanted.row) + abs(begin - wanted.column)
                    if distance < nearest?.distance ?? .max { nearest = (distance, row, begin) }
                }
            }
            if let nearest { return (nearest.row, nearest.column) }
        }
        return wanted
    }

    /// The plot as lines of text, with the titles of its axes; nothing without samples.
    package static func text(
        _ kind: SeriesKind, of condition: LatencySummary.Condition, rows: Int = 16, columns: Int = 78
    ) -> String {
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        draw(kind, of: condition, on: &canvas, in: canvas.area)
        let lines = canvas.lines
        guard lines.contains(where: { !$0.isEmpty }) else { return "" }
        let across = "latency, ms (logarithmic)"
        let indent = String(repeating: " ", count: max(0, columns - across.count))
        return (["share of what was intended"] + lines + [indent + across]).map { $0 + "\n" }.joined()
    }

    private static func scales(
        _ axis: LogAxis, _ most: Double, _ inner: ScreenArea, on canvas: inout Canvas, in area: ScreenArea
    ) {
        for nines in 0...max(1, Int(saturating: most)) {
            let row = Int(saturating: ((1 - Double(nines) / most) * Double(inner.rows - 1)).rounded())
            guard (0..<inner.rows).contains(row) else { continue }
            let title = TailCurve.title(nines: nines)
            canvas.write(
                String(repeating: " ", count: max(0, 8 - title.count)) + title, row: row, column: 0, in: area, .muted)
        }
        var free = 0
        for tick in axis.ticks(atMost: inner.columns / 8) {
            let title = label(of: tick)
            let column = Int(saturating: (axis.share(tick) * Double(inner.columns - 1)).rounded())
            let begin = min(max(free, column - title.count / 2), inner.columns - title.count - 3)
            guard begin >= free else { continue }
            canvas.write(title, row: inner.rows, column: 9 + begin, in: area, .muted)
            free = begin + title.count + 1
        }
        canvas.write("ms", row: inner.rows, column: area.columns - 2, in: area, .muted)
    }

    /// A tick with the decimals that its one significant digit needs, so that no two have the same label.
    package static func label(of tick: Double) -> String {
        var (decimals, scaled) = (0, tick)
        while scaled < 0.95, decimals < 6 {
            scaled *= 10
            decimals += 1
        }
        return tick.formatted(decimals: decimals)
    }

    private static func style(_ index: Int) -> Style {
        let tones: [Tone] = [.accent, .second, .good, .warning, .muted, .danger]
        return .tone(tones[index % tones.count])
    }
}
