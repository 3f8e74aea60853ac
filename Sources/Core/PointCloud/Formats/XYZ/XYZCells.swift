/// The cells of a line, for lines with quotes and for columns that a header names; other lines are read word by word.
struct XYZCells {
    /// A cell without its quotes.
    struct Cell {
        var range: Range<Int>
        var isQuoted: Bool
    }

    /// Semicolon, tab, comma or blank.
    let separator: UInt8
    let cells: [Cell]

    /// - Parameter separator: that of the header; `nil` determines it from the line.
    init(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>, separator: UInt8? = nil) {
        let separator = separator ?? Self.separator(bytes, line)
        self.separator = separator
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        func separates(_ byte: UInt8) -> Bool { byte == separator || (separator == 0x20 && byte == 0x09) }
        var cells: [Cell] = []
        var (start, isInside) = (line.lowerBound, false)
        for index in line.lowerBound...line.upperBound {
            if index < line.upperBound {
                if bytes[index] == 0x22 { isInside.toggle() }
                if isInside || !separates(bytes[index]) { continue }
            }
            var range = start..<index
            while let first = range.first, isBlank(bytes[first]) { range = first + 1..<range.upperBound }
            while let last = range.last, isBlank(bytes[last]) { range = range.lowerBound..<last }
            let isQuoted = range.count >= 2 && bytes[range.lowerBound] == 0x22 && bytes[range.upperBound - 1] == 0x22
            if isQuoted { range = range.lowerBound + 1..<range.upperBound - 1 }
            if separator != 0x20 || isQuoted || !range.isEmpty { cells.append(Cell(range: range, isQuoted: isQuoted)) }
            start = index + 1
        }
        self.cells = cells
    }

    private static func separator(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> UInt8 {
        var found: Set<UInt8> = []
        var isInside = false
        for index in line {
            if bytes[index] == 0x22 { isInside.toggle() } else if !isInside { found.insert(bytes[index]) }
        }
        return [0x3B, 0x09, 0x2C].first { found.contains($0) } ?? 0x20
    }
}
