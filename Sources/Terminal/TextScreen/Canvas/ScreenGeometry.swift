/// The size of a screen or a part of it, in character cells.
public struct ScreenSize: Hashable, Sendable {
    /// Lines.
    public var rows: Int
    /// Cells in a line.
    public var columns: Int

    /// The most lines and columns that are worked with; a terminal that claims more is taken at this.
    public static let largest = ScreenSize(rows: 500, columns: 1000)

    /// A size; what is negative or above ``largest`` is cut.
    public init(rows: Int, columns: Int) {
        self.rows = min(max(rows, 0), 500)
        self.columns = min(max(columns, 0), 1000)
    }
}

/// A rectangle of cells; row 0, column 0 is the upper left corner of the screen.
public struct ScreenArea: Hashable, Sendable {
    /// The first line.
    public var row: Int
    /// The first column.
    public var column: Int
    /// How many lines.
    public var rows: Int
    /// How many columns.
    public var columns: Int

    /// A rectangle; a negative extent counts as none.
    public init(row: Int = 0, column: Int = 0, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }

    /// The whole of a screen.
    public init(_ size: ScreenSize) { self.init(rows: size.rows, columns: size.columns) }

    /// What is left without so many lines and columns at each side.
    public func inset(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) -> Self {
        Self(row: row + top, column: column + left, rows: rows - top - bottom, columns: columns - left - right)
    }

    /// The uppermost lines, and what is below them.
    public func split(top: Int) -> (top: Self, rest: Self) {
        let height = min(max(0, top), rows)
        return (
            Self(row: row, column: column, rows: height, columns: columns),
            Self(row: row + height, column: column, rows: rows - height, columns: columns)
        )
    }

    /// The leftmost columns, and what is right of them.
    public func split(left: Int) -> (left: Self, rest: Self) {
        let width = min(max(0, left), columns)
        return (
            Self(row: row, column: column, rows: rows, columns: width),
            Self(row: row, column: column + width, rows: rows, columns: columns - width)
        )
    }

    /// A rectangle of at most that size in the middle of this one.
    public func centred(rows wantedRows: Int, columns wantedColumns: Int) -> Self {
        let (height, width) = (min(wantedRows, rows), min(wantedColumns, columns))
        return Self(
            row: row + (rows - height) / 2, column: column + (columns - width) / 2, rows: height, columns: width)
    }

    /// Whether a cell lies within.
    public func contains(row: Int, column: Int) -> Bool {
        (self.row..<self.row + rows).contains(row) && (self.column..<self.column + columns).contains(column)
    }
}
