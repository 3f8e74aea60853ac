internal import LatencyMeasurement
internal import ReportKit
internal import TextScreen

/// Draws the progress of a measurement and its preliminary figures.
enum LatencyProgressDrawing {
    static func draw(_ progress: LatencyProgress, on canvas: inout Canvas, in area: ScreenArea) {
        let title = progress.isEnding ? "Ending, results so far are kept" : "Measuring \(progress.vehicle)"
        let inside = canvas.box(area, title: title).inset(left: 1, right: 1)
        var lines: [[Canvas.Span]] = [[.init(progress.doing, Style.plain.adding(.bold))]]
        lines.append(bar(progress, columns: inside.columns))
        for note in progress.notes {
            lines += note.wrapped(to: inside.columns).prefix(2).map { [.init("! \($0)", .tone(.warning))] }
        }
        for (index, table) in progress.tables.enumerated() {
            lines.append([])
            let name = index == 0 && lines.count > 0 ? "so far (ms)" : "\(table.title) (ms)"
            lines.append([.init(name, .muted)])
            lines += LatencyTableDrawing.lines(table, columns: inside.columns)
        }
        for (row, line) in lines.prefix(inside.rows).enumerated() { canvas.write(line, row: row, in: inside) }
    }

    private static func bar(_ progress: LatencyProgress, columns: Int) -> [Canvas.Span] {
        let room = min(24, max(0, columns - progress.time.cells - 8))
        guard room >= 4 else { return [.init(progress.time.fitted(to: columns))] }
        let full = Int(saturating: (progress.fraction * Double(room)).rounded())
        let percent = "\(Int(saturating: progress.fraction * 100)) %"
        return [
            .init(String(repeating: "█", count: full), .tone(.accent)),
            .init(String(repeating: "░", count: max(0, room - full)), .muted), .init(" \(percent)  "),
            .init(progress.time),
        ]
    }
}
