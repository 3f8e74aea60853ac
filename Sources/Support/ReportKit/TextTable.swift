/// A table in plain text, columns as wide as their widest cell.
public struct TextTable: Hashable, Sendable {
    /// The alignment of a column's cells.
    public enum Alignment: Hashable, Sendable {
        /// For words.
        case left
        /// For numbers.
        case right
    }

    /// One column.
    public struct Column: Hashable, Sendable {
        /// The column's title.
        public var title: String
        /// The alignment of its cells.
        public var alignment: Alignment

        /// Creates a column.
        public init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    /// The columns, left to right.
    public var columns: [Column]
    /// The rows, one cell per column; missing cells are empty, extra ones are not shown.
    public var rows: [[String]] = []

    /// Creates a table without rows.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row.
    public mutating func add(_ cells: String...) { rows.append(cells) }

    /// The table: titles, a line of dashes, rows; no trailing blanks, each line ends with a newline.
    ///
    /// Newlines in cells become blanks; text from a vehicle must be sanitized before.
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
