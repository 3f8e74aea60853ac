/// A grid of braille dots, eight per terminal cell: two across and four down, which makes them roughly square.
public struct DotGrid: Hashable, Sendable {
    /// Cells across.
    public let columns: Int
    /// Cells down.
    public let rows: Int
    /// The dots of each cell, row by row: added to U+2800 they give the character.
    public private(set) var cells: [UInt8]

    /// The maximum number of cells along a side, far more than a terminal has.
    public static let largestSide = 4096

    /// An empty grid; sides are clamped to ``largestSide``.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(0, columns), Self.largestSide)
        self.rows = min(max(0, rows), Self.largestSide)
        cells = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// Dots across.
    public var width: Int { 2 * columns }
    /// Dots down.
    public var height: Int { 4 * rows }

    /// Clears all dots.
    public mutating func clear() {
        for index in cells.indices { cells[index] = 0 }
    }

    /// Sets a dot, counted from the upper left corner; ignored outside the grid.
    public mutating func set(x: Int, y: Int) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        cells[(y >> 2) * columns + (x >> 1)] |= Self.bit(x: x, y: y)
    }

    /// Adds the dots of a grid of the same size.
    public mutating func add(_ other: DotGrid) {
        guard other.columns == columns, other.rows == rows else { return }
        for index in cells.indices { cells[index] |= other.cells[index] }
    }

    /// Whether a dot is set.
    public func isSet(x: Int, y: Int) -> Bool {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return false }
        return cells[(y >> 2) * columns + (x >> 1)] & Self.bit(x: x, y: y) != 0
    }

    /// The character of a cell; a space if it has no dot.
    public func character(column: Int, row: Int) -> Character {
        let dots = cells[row * columns + column]
        guard dots != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(dots)) else { return " " }
        return Character(scalar)
    }

    /// The bit of a dot. Braille dots are numbered down the left column, down the right one, then along the bottom row.
    @inline(__always)
    static func bit(x: Int, y: Int) -> UInt8 {
        // Four bits of shift each: left column 0 1 2 6, right column 3 4 5 7.
        let shifts: UInt32 = x & 1 == 0 ? 0x6210 : 0x7543
        return 1 << UInt8(truncatingIfNeeded: (shifts >> UInt32(truncatingIfNeeded: 4 * (y & 3))) & 7)
    }

    /// Direct access to the cells, for drawing many dots.
    mutating func withCells<Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try cells.withUnsafeMutableBufferPointer { buffer throws(Failure) in try body(buffer) }
    }
}
