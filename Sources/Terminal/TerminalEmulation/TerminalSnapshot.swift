/// The size of an emulated terminal.
package struct TerminalSize: Hashable, Sendable {
    /// The number of lines.
    package let rows: Int
    /// The number of cells in a line.
    package let columns: Int

    /// Creates a size, clamped to 2x4 to 500x1000 (rows x columns).
    package init(rows: Int, columns: Int) {
        self.rows = min(max(rows, 2), 500)
        self.columns = min(max(columns, 4), 1000)
    }
}

/// A snapshot of an emulated terminal.
package struct TerminalSnapshot: Hashable, Sendable {
    /// The visible lines from the top, as many as the terminal has.
    package var lines: [TerminalLine]
    /// The cursor's position; `nil` when it is hidden or not in view.
    package var cursor: Place?
    /// The number of the first visible line, counted from the terminal's first line.
    package var firstLine: Int
    /// How many lines the view is scrolled back.
    package var linesBelow: Int

    /// A position in the view.
    package struct Place: Hashable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    package init(lines: [TerminalLine] = [], cursor: Place? = nil, firstLine: Int = 0, linesBelow: Int = 0) {
        self.lines = lines
        self.cursor = cursor
        self.firstLine = firstLine
        self.linesBelow = linesBelow
    }
}

/// The modes that the program in the terminal has set.
package struct TerminalModes: Hashable, Sendable {
    /// The mouse reports that the program has enabled.
    package enum Mouse: Int, Hashable, Sendable { case none, clicks, drags, moves }

    /// The window title: untrusted, bounded, without control characters.
    package var title = ""
    /// Whether the alternate screen is active, as in full-screen programs.
    package var usesAlternateScreen = false
    /// The mouse reports that the program has enabled.
    package var mouse = Mouse.none
    /// The number of bells so far.
    package var bells = 0

    package init() {}
}
