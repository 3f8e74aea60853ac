/// A cell of the screen.
public struct Cell: Hashable, Sendable {
    /// The character; ``Cell/continuation`` in the right half of a wide one.
    public var character: Character
    /// The style.
    public var style: Style

    /// Creates a cell.
    public init(_ character: Character = " ", _ style: Style = .plain) {
        self.character = character
        self.style = style
    }

    /// The content of the right half of a wide character.
    public static let continuation: Character = "\u{0}"
}

/// The content of a screen as a value: views draw on it, tests read it, and ``Painter`` sends it to a terminal.
///
/// Drawing outside is clipped. Control characters are never stored by ``write(_:row:column:in:_:)``, which replaces them by
/// their symbols.
public struct Canvas: Hashable, Sendable {
    /// The size.
    public let size: ScreenSize
    /// The position of the terminal's cursor; `nil` hides it.
    public var cursor: (row: Int, column: Int)? {
        get { cursorCell.map { ($0 / max(1, size.columns), $0 % max(1, size.columns)) } }
        set {
            cursorCell = newValue.flatMap { place in
                area.contains(row: place.row, column: place.column) ? place.row * size.columns + place.column : nil
            }
        }
    }
    private var cursorCell: Int?
    private(set) var cells: [Cell]

    /// Creates an empty canvas.
    public init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.rows * size.columns)
    }

    /// The area of the whole canvas.
    public var area: ScreenArea { ScreenArea(size) }

    /// The cell at a position; writing outside is ignored, reading outside returns a blank cell.
    public subscript(row: Int, column: Int) -> Cell {
        get { area.contains(row: row, column: column) ? cells[row * size.columns + column] : Cell() }
        set {
            guard area.contains(row: row, column: column) else { return }
            put(newValue, row, column)
        }
    }

    /// Writes text into a line of an area; text that does not fit is clipped.
    ///
    /// - Parameters:
    ///   - row: the line, relative to the area.
    ///   - column: the column, relative to the area.
    ///   - area: the area; `nil` for the whole canvas.
    /// - Returns: the number of columns by which the text advanced.
    @discardableResult
    public mutating func write(
        _ text: some StringProtocol, row: Int, column: Int = 0, in area: ScreenArea? = nil, _ style: Style = .plain
    ) -> Int {
        let area = area ?? self.area
        guard (0..<area.rows).contains(row) else { return 0 }
        var column = column
        let start = column
        for character in text {
            let shown = Self.shown(character)
            let width = shown.cells
            guard column + width <= area.columns else { break }
            if column >= 0 {
                self[area.row + row, area.column + column] = Cell(shown, style)
                if width == 2 {
                    self[area.row + row, area.column + column + 1] = Cell(Cell.continuation, style)
                }
            }
            column += width
        }
        return column - start
    }

    /// Writes text aligned to the area's right edge, less `margin` cells.
    public mutating func writeRight(
        _ text: some StringProtocol, row: Int, margin: Int = 0, in area: ScreenArea, _ style: Style = .plain
    ) {
        write(text, row: row, column: max(0, area.columns - margin - text.cells), in: area, style)
    }

    /// Writes consecutive spans; returns the column after the last.
    @discardableResult
    public mutating func write(_ spans: [Span], row: Int, column: Int = 0, in area: ScreenArea) -> Int {
        spans.reduce(column) { $0 + write($1.text, row: row, column: $0, in: area, $1.style) }
    }

    /// Text in one style.
    public struct Span: Hashable, Sendable {
        /// The text.
        public var text: String
        /// Its style.
        public var style: Style

        /// Creates a span.
        public init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    /// Fills an area with one character.
    public mutating func fill(_ area: ScreenArea, _ character: Character = " ", _ style: Style = .plain) {
        for row in area.row..<area.row + area.rows {
            for column in area.column..<area.column + area.columns { self[row, column] = Cell(character, style) }
        }
    }

    /// Changes the style of every cell of an area; the characters are kept.
    public mutating func restyle(_ area: ScreenArea, _ change: (Style) -> Style) {
        for row in area.row..<area.row + area.rows {
            for column in area.column..<area.column + area.columns where self.area.contains(row: row, column: column) {
                cells[row * size.columns + column].style = change(cells[row * size.columns + column].style)
            }
        }
    }

    /// The content as lines of text without trailing blanks, for tests and for users.
    public var lines: [String] {
        (0..<size.rows).map { row in
            let line = cells[row * size.columns..<(row + 1) * size.columns].map(\.character)
                .filter { $0 != Cell.continuation }
            return String(line[..<((line.lastIndex { $0 != " " } ?? -1) + 1)])
        }
    }

    /// Sets a cell; when it overwrites one half of a wide character, the other half becomes blank.
    private mutating func put(_ cell: Cell, _ row: Int, _ column: Int) {
        let index = row * size.columns + column
        let old = cells[index]
        if old.character == Cell.continuation, cell.character != Cell.continuation, column > 0 {
            cells[index - 1].character = " "
        } else if old.character.cells == 2, column + 1 < size.columns, cell.character.cells != 2 {
            cells[index + 1].character = " "
        }
        cells[index] = cell
    }

    /// Sanitizes a character: control characters become their symbols (U+2400 block), invisible format characters U+FFFD.
    private static func shown(_ character: Character) -> Character {
        if let byte = character.asciiValue, byte >= 0x20, byte != 0x7F { return character }
        for scalar in character.unicodeScalars {
            switch scalar.value {
            case 0x00...0x1F: return Unicode.Scalar(0x2400 + scalar.value).map(Character.init) ?? "\u{FFFD}"
            case 0x7F: return "\u{2421}"
            case 0x80...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                return "\u{FFFD}"
            default: continue
            }
        }
        return character
    }

    /// Compares size, cells and cursor.
    public static func == (left: Self, right: Self) -> Bool {
        left.size == right.size && left.cursorCell == right.cursorCell && left.cells == right.cells
    }

    /// Hashes size and cells, not the cursor.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(cells)
    }
}
