/// A table in plain text, columns as wide as their widest cell.
public struct TextTable: Hashable, Sendable {
    /// To which side the cells of a column lean.
    public enum Alignment: Hashable, Sendable {
        /// Words.
        case left
        /// Numbers.
        case right
    }

    /// One column.
    public struct Column: Hashable, Sendable {
        /// What stands above it.
        public var title: String
        /// To which side its cells lean.
        public var alignment: Alignment

        /// One column.
        public init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    /// The columns, left to right.
    public var columns: [Column]
    /// The rows, each with a cell a column; missing cells are empty, further ones are not shown.
    public var rows: [[String]] = []

    /// A table without rows.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row.
    public mutating func add(_ cells: String...) { rows.append(cells) }

    /// The table: titles, a line of dashes, rows; no blanks at a line's end, each line ends with a line feed.
    ///
    /// Line feeds in cells become blanks; text from a vehicle must be made harmless before.
    public var text: String {
        let grid = ([columns.map(\.title)] + rows).map { row in
            columns.indices.map { $0 < row.count ? String(row[$0].map { $0.isNewline ? " " : $0 }) : "" }
        }
        let widths = columns.indices.map { column in grid.map { $0[column].count }.max() ?? 0 }
        var lines = grid.map { line($0, widths: widths) }
        lines.insert(line(widths.map { String(repeating: "-", count: $0) }, widths: widths), at: 1)
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var out = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - cell.count)
            out += (index > 0 ? "  " : "") + (columns[index].alignment == .right ? padding + cell : cell + padding)
        }
        while out.hasSuffix(" ") { out.removeLast() }
        return out
    }
}
