/// The size of an emulated terminal.
public struct TerminalSize: Hashable, Sendable {
    /// The number of lines.
    public let rows: Int
    /// The number of cells in a line.
    public let columns: Int

    /// Creates a size, clamped to 2x4 to 500x1000 (rows x columns).
    public init(rows: Int, columns: Int) {
        self.rows = min(max(rows, 2), 500)
        self.columns = min(max(columns, 4), 1000)
    }
}

/// A snapshot of an emulated terminal.
public struct TerminalSnapshot: Hashable, Sendable {
    /// The visible lines from the top, as many as the terminal has.
    public var lines: [TerminalLine]
    /// The cursor's position; `nil` when it is hidden or not in view.
    public var cursor: Place?
    /// The number of the first visible line, counted from the terminal's first line.
    public var firstLine: Int
    /// How many lines the view is scrolled back.
    public var linesBelow: Int

    /// A position in the view.
    public struct Place: Hashable, Sendable {
        /// The row, from 0.
        public var row: Int
        /// The column, from 0.
        public var column: Int

        /// Creates a position.
        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// Creates a snapshot.
    public init(lines: [TerminalLine] = [], cursor: Place? = nil, firstLine: Int = 0, linesBelow: Int = 0) {
        self.lines = lines
        self.cursor = cursor
        self.firstLine = firstLine
        self.linesBelow = linesBelow
    }
}

/// The modes that the program in the terminal has set.
public struct TerminalModes: Hashable, Sendable {
    /// The mouse reports that the program has enabled.
    public enum Mouse: Int, Hashable, Sendable { case none, clicks, drags, moves }

    /// The window title: untrusted, bounded, without control characters.
    public var title = ""
    /// Whether the alternate screen is active, as in full-screen programs.
    public var usesAlternateScreen = false
    /// The mouse reports that the program has enabled.
    public var mouse = Mouse.none
    /// The number of bells so far.
    public var bells = 0

    /// Creates the initial modes.
    public init() {}
}
