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
            lines += "! \(note)".wrapped(to: inside.columns, atMost: 2).map { [.init($0, .tone(.warning))] }
        }
        for (index, table) in progress.tables.enumerated() {
            lines.append([])
            let name = index == 0 && lines.count > 0 ? "so far (ms)" : "\(table.title) (ms)"
            lines.append([.init(name, .muted)])
            lines += LatencyTableDrawing.lines(table, columns: inside.columns)
        }
        let window = ListWindow(count: lines.count, rows: inside.rows, first: 0)
        for (row, line) in lines[window.shown].enumerated() { canvas.write(line, row: row, in: inside) }
        canvas.drawMarks(of: window, on: area)
    }

    private static func bar(_ progress: LatencyProgress, columns: Int) -> [Canvas.Span] {
        let available = min(24, max(0, columns - progress.time.cells - 8))
        guard available >= 4 else { return [.init(progress.time.fitted(to: columns))] }
        let full = Int(saturating: (progress.fraction * Double(available)).rounded())
        let percent = "\(Int(saturating: progress.fraction * 100)) %"
        return [
            .init(String(repeating: "█", count: full), .tone(.accent)),
            .init(String(repeating: "░", count: max(0, available - full)), .muted), .init(" \(percent)  "),
            .init(progress.time),
        ]
    }
}
