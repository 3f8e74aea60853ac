internal import LatencyMeasurement
internal import ReportKit
internal import TextScreen

/// Draws the progress of a measurement and its preliminary figures.
enum LatencyProgressDrawing {
    static func draw(_ progress: LatencyProgress, on canvas: inout Canvas, in area: ScreenArea) {
        let title = progress.isEnding ? "Ending, results so far are kept" : "Measuring \(progress.vehicle)"
        let inside = canvas.box(area, title: title).inset(left: 1, right: 1)
        let head: [[Canvas.Span]] = [[.init(progress.doing, Style.plain.adding(.bold))]]
        let time: [[Canvas.Span]] = [bar(progress, columns: inside.columns)]
        let notes = progress.notes.flatMap { note -> [[Canvas.Span]] in
            "! \(note)".wrapped(to: inside.columns, atMost: 2).map { [.init($0, .tone(.warning))] }
        }
        let tables = progress.tables.enumerated().map { index, table -> [[Canvas.Span]] in
            let name = index == 0 ? "so far (ms)" : "\(table.title) (ms)"
            return [[.init(name, .muted)]] + LatencyTableDrawing.lines(table, columns: inside.columns)
        }
        var lines = head + time + notes
        if let present = tables.first, lines.count + 1 + present.count > inside.rows {
            // They would be hidden: they come first, without their title, since nothing scrolls here.
            lines = time + Array(present.dropFirst()) + head + notes
            for table in tables.dropFirst() { lines += table }
        } else {
            for table in tables { lines += [[]] + table }
        }
        let window = ListWindow(count: lines.count, rows: inside.rows, first: 0)
        for (row, line) in lines[window.shown].enumerated() { canvas.write(line, row: row, in: inside) }
        canvas.drawMarks(of: window, on: area)
    }

    private static func bar(_ progress: LatencyProgress, columns: Int) -> [Canvas.Span] {
        let available = min(24, max(0, columns - progress.time.cells - 8))
        guard available >= 4 else { return [.init(progress.time.shortened(to: columns))] }
        let full = Int(saturating: (progress.fraction * Double(available)).rounded(.down))
        let percent = "\(Int(saturating: progress.fraction * 100)) %"
        return [
            .init(String(repeating: "█", count: full), .tone(.accent)),
            .init(String(repeating: "░", count: max(0, available - full)), .muted), .init(" \(percent)  "),
            .init(progress.time),
        ]
    }
}
