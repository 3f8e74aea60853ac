/// The size of a screen or a part of it, in character cells.
public struct ScreenSize: Hashable, Sendable {
    /// The number of lines.
    public var rows: Int
    /// The number of cells in a line.
    public var columns: Int

    /// The largest size; a larger terminal is used up to this size.
    public static let largest = ScreenSize(rows: 500, columns: 1000)

    /// Creates a size, clamped to 0 and ``largest``.
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
    /// The number of lines.
    public var rows: Int
    /// The number of columns.
    public var columns: Int

    /// Creates a rectangle; negative extents become 0.
    public init(row: Int = 0, column: Int = 0, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }

    /// The area of a whole screen.
    public init(_ size: ScreenSize) { self.init(rows: size.rows, columns: size.columns) }

    /// The area reduced by lines and columns at each side.
    public func inset(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) -> Self {
        Self(row: row + top, column: column + left, rows: rows - top - bottom, columns: columns - left - right)
    }

    /// Splits off lines at the top.
    public func split(top: Int) -> (top: Self, rest: Self) {
        let height = min(max(0, top), rows)
        return (
            Self(row: row, column: column, rows: height, columns: columns),
            Self(row: row + height, column: column, rows: rows - height, columns: columns)
        )
    }

    /// Splits off columns at the left.
    public func split(left: Int) -> (left: Self, rest: Self) {
        let width = min(max(0, left), columns)
        return (
            Self(row: row, column: column, rows: rows, columns: width),
            Self(row: row, column: column + width, rows: rows, columns: columns - width)
        )
    }

    /// A centred rectangle of at most that size.
    public func centred(rows wantedRows: Int, columns wantedColumns: Int) -> Self {
        let (height, width) = (min(wantedRows, rows), min(wantedColumns, columns))
        return Self(
            row: row + (rows - height) / 2, column: column + (columns - width) / 2, rows: height, columns: width)
    }

    /// Whether a cell is inside.
    public func contains(row: Int, column: Int) -> Bool {
        (self.row..<self.row + rows).contains(row) && (self.column..<self.column + columns).contains(column)
    }
}
