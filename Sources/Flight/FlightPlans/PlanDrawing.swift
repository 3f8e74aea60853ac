internal import UAVLink

/// A plan seen from above, as text: the nose of the take-off points up.
package struct PlanDrawing: Hashable, Sendable {
    /// Its lines, top to bottom; ASCII.
    package let lines: [String]

    /// A character is about twice as high as wide.
    private static let aspect = 2.0

    /// Draws a dry run: `S` for the take-off, `E` for the end, `.` on the way; nothing from where the place is not known.
    ///
    /// - Parameters:
    ///   - columns: at least 10.
    ///   - rows: at least 5.
    package init(_ run: DryRun, columns: Int, rows: Int) {
        let (columns, rows) = (max(10, columns), max(5, rows))
        // To the right on the screen is the drone's right, which is -y.
        var path: [(right: Double, up: Double)] = [(0, 0)]
        for moment in run.moments { path += moment.path.map { (right: -$0.y, up: $0.x) } }
        let rights = path.map(\.right)
        let ups = path.map(\.up)
        let (left, right) = (rights.min() ?? 0, rights.max() ?? 0)
        let (bottom, top) = (ups.min() ?? 0, ups.max() ?? 0)
        // Metres of a column; of a plan that stays where it is, any.
        let scale = max((right - left) / Double(columns - 1), (top - bottom) / Double(rows - 1) / Self.aspect, 0.01)
        var grid = [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
        func mark(_ point: (right: Double, up: Double), _ character: Character) {
            guard let column = Int(exactly: ((point.right - left) / scale).rounded()),
                let row = Int(exactly: ((top - point.up) / scale / Self.aspect).rounded()), grid.indices.contains(row),
                grid[row].indices.contains(column)
            else { return }
            grid[row][column] = character
        }
        for (from, to) in zip(path, path.dropFirst()) {
            let length = max(abs(to.right - from.right), abs(to.up - from.up) / Self.aspect) / scale
            let pieces = min(max(1, Int(exactly: length.rounded(.up)) ?? 1), 2000)
            for piece in 0...pieces {
                let share = Double(piece) / Double(pieces)
                mark(
                    (from.right + (to.right - from.right) * share, from.up + (to.up - from.up) * share), ".")
            }
        }
        if let end = path.last { mark(end, "E") }
        mark((0, 0), "S")
        let text = grid.map { row in
            var line = String(row)
            while line.last == " " { line.removeLast() }
            return line
        }
        let used = text.lastIndex { !$0.isEmpty } ?? 0
        lines = Array(text[...used]) + ["a column is \(PlanCheck.spelled(scale * 100)) cm; S take-off, nose up; E end"]
    }
}
