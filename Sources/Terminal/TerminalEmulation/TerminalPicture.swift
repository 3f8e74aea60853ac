/// The size of an emulated terminal.
public struct TerminalSize: Hashable, Sendable {
    /// Lines.
    public let rows: Int
    /// Cells in a line.
    public let columns: Int

    /// A size; what is too small or too large to be worked with is cut to 2x4 and 500x1000.
    public init(rows: Int, columns: Int) {
        self.rows = min(max(rows, 2), 500)
        self.columns = min(max(columns, 4), 1000)
    }
}

/// What an emulated terminal shows at one instant.
public struct TerminalPicture: Hashable, Sendable {
    /// The lines in view, from the top; as many as the terminal has.
    public var lines: [TerminalLine]
    /// Where the cursor stands; `nil` when it is hidden or not in view.
    public var cursor: Place?
    /// The number of the first line in view, counted from the first that ever was.
    public var firstLine: Int
    /// How many lines above the newest ones the view is.
    public var linesBelow: Int

    /// A place in the view.
    public struct Place: Hashable, Sendable {
        /// Line, from 0.
        public var row: Int
        /// Column, from 0.
        public var column: Int

        /// A place.
        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// A view.
    public init(lines: [TerminalLine] = [], cursor: Place? = nil, firstLine: Int = 0, linesBelow: Int = 0) {
        self.lines = lines
        self.cursor = cursor
        self.firstLine = firstLine
        self.linesBelow = linesBelow
    }
}

/// What the program in the terminal has asked of it.
public struct TerminalModes: Hashable, Sendable {
    /// Which reports of the mouse it wants.
    public enum Mouse: Int, Hashable, Sendable { case none, clicks, drags, moves }

    /// The title it gave itself; untrusted, bounded, without control characters.
    public var title = ""
    /// Whether it uses the other screen, as full-screen programs do.
    public var usesAlternateScreen = false
    /// Which reports of the mouse it wants.
    public var mouse = Mouse.none
    /// How often it has rung the bell.
    public var bells = 0

    /// Nothing asked yet.
    public init() {}
}
