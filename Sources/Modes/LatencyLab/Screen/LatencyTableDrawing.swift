internal import TextScreen

/// Draws a table and leaves out columns that do not fit.
enum LatencyTableDrawing {
    /// The table as lines, beginning with the column titles.
    static func lines(_ section: LatencyTableSection, columns width: Int) -> [[Canvas.Span]] {
        let columns = fitted(section.columns, to: width)
        guard let count = columns.first?.cells.count else { return [] }
        var lines: [[Canvas.Span]] = []
        if columns.contains(where: { !$0.group.isEmpty }) { lines.append(groups(columns)) }
        lines.append(columns.enumerated().map { .init(text($1.title, $1, isFirst: $0 == 0), .muted) })
        for row in 0..<count {
            lines.append(
                columns.enumerated().map { index, column in
                    let style: Style = index == 0 ? Style.plain.adding(.bold) : .plain
                    return .init(
                        text(column.cells.indices.contains(row) ? column.cells[row] : "", column, isFirst: index == 0),
                        style)
                })
        }
        return lines
    }

    private static func fitted(_ all: [LatencyTableSection.Column], to width: Int) -> [LatencyTableSection.Column] {
        var columns = all
        while columns.reduce(0, { $0 + self.width($1) + gap }) - gap > width,
            let last = columns.map(\.rank).max(), last > 0,
            let index = columns.lastIndex(where: { $0.rank == last })
        {
            // The same column of all groups is left out together, so that the groups remain comparable.
            let title = columns[index].title
            columns.removeAll { $0.rank == last && $0.title == title }
        }
        return columns
    }

    private static let gap = 2

    private static func width(_ column: LatencyTableSection.Column) -> Int {
        max(column.title.cells, column.cells.map(\.cells).max() ?? 0)
    }

    /// Pads a cell: the first column is left-aligned, the others right-aligned.
    private static func text(_ cell: String, _ column: LatencyTableSection.Column, isFirst: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width(column) - cell.cells))
        return isFirst ? cell + blanks : String(repeating: " ", count: gap) + blanks + cell
    }

    /// The line of group headings, each above its first column.
    private static func groups(_ columns: [LatencyTableSection.Column]) -> [Canvas.Span] {
        var spans: [Canvas.Span] = []
        var index = 0
        while index < columns.count {
            let group = columns[index].group
            var available = 0
            while index < columns.count, columns[index].group == group {
                available += width(columns[index]) + (index == 0 ? 0 : gap)
                index += 1
            }
            let title = group.isEmpty ? "" : String(repeating: " ", count: gap) + group
            // The last heading may be wider than its columns.
            let shown = index < columns.count ? title.fitted(to: available) : title
            spans.append(.init(shown + String(repeating: " ", count: max(0, available - shown.cells)), .title))
        }
        return spans
    }
}
