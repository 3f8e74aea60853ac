/// A grid of dots, eight to a cell of the terminal, as braille has them: two across and four down, which makes them square.
public struct DotGrid: Hashable, Sendable {
    /// Cells across.
    public let columns: Int
    /// Cells down.
    public let rows: Int
    /// The dots of each cell, row by row: added to U+2800 they are the character to show.
    public private(set) var cells: [UInt8]

    /// Far more cells than a terminal has, along either side.
    public static let largestSide = 4096

    /// A grid without dots; sides are at most ``largestSide``.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(0, columns), Self.largestSide)
        self.rows = min(max(0, rows), Self.largestSide)
        cells = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// Dots across.
    public var width: Int { 2 * columns }
    /// Dots down.
    public var height: Int { 4 * rows }

    /// Takes all dots away.
    public mutating func clear() {
        for index in cells.indices { cells[index] = 0 }
    }

    /// Puts a dot, counted from the upper left corner; outside the grid nothing happens.
    public mutating func set(x: Int, y: Int) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        cells[(y >> 2) * columns + (x >> 1)] |= Self.bit(x: x, y: y)
    }

    /// Whether there is a dot.
    public func isSet(x: Int, y: Int) -> Bool {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return false }
        return cells[(y >> 2) * columns + (x >> 1)] & Self.bit(x: x, y: y) != 0
    }

    /// The character of a cell; a blank where there is no dot.
    public func character(column: Int, row: Int) -> Character {
        let dots = cells[row * columns + column]
        guard dots != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(dots)) else { return " " }
        return Character(scalar)
    }

    /// The dots of a braille cell are numbered down the left column, down the right one, and then along the bottom.
    @inline(__always)
    static func bit(x: Int, y: Int) -> UInt8 {
        // Four bits of shift each: left column 0 1 2 6, right column 3 4 5 7.
        let shifts: UInt32 = x & 1 == 0 ? 0x6210 : 0x7543
        return 1 << UInt8(truncatingIfNeeded: (shifts >> UInt32(truncatingIfNeeded: 4 * (y & 3))) & 7)
    }

    /// The cells, for whoever puts a million dots.
    mutating func withCells<Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try cells.withUnsafeMutableBufferPointer { buffer throws(Failure) in try body(buffer) }
    }
}
