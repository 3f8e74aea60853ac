/// Decides whether the commas of an XYZ file are decimal commas or separate values.
///
/// - Decimal commas are read if x, y and z of every line have one, and semicolons, tabs or blanks separate them. Between
///   semicolons, which leave no doubt, whole numbers may be among them.
/// - Commas separate values if they are the only separator, or have a blank beside them.
/// - Everything else is refused, also a file whose numbers are all whole and that has more than three in a line without a
///   header: `1,5,2,5,3,5` may be six numbers or three.
struct XYZDecimals {
    private let source: CloudSource
    /// The first line with decimal commas, and the first without.
    private var (commaLine, pointLine): (Int?, Int?) = (nil, nil)
    /// Whether every number so far may be a whole one whose comma separates thousands.
    private var areGrouped = true
    /// Whether a line with commas also has a decimal point, so that commas cannot be decimal.
    private var hasPoint = false
    /// The first line that may have decimal commas, and an excerpt.
    private var doubt: (line: Int, text: String)?

    init(source: CloudSource) { self.source = source }

    /// The warning about decimal commas that may separate thousands.
    var note: String? {
        guard commaLine != nil, areGrouped else { return nil }
        return "every comma has three digits behind it: they are read as decimal commas, not as separators of thousands"
    }

    /// Whether the commas of a line are decimal commas.
    ///
    /// - Parameters:
    ///   - commas: the number of commas in the line.
    ///   - columns: the number of columns in the header; `nil` without one.
    mutating func isDecimal(_ rows: TextRows, commas: Int, columns: Int?) throws(PointCloudError) -> Bool {
        let (bytes, line) = (rows.bytes, rows.restRange)
        let tight = Self.tightCommas(bytes, line)
        guard tight > 0 else { return false }
        var groups = rows
        let first = groups.group()
        if groups.isAtLineEnd {
            // The only separator.
            if !hasPoint, bytes[line].contains(0x2E) { hasPoint = true }
            if let columns, commas + 1 != columns, !hasPoint {
                throw source.error(
                    line: rows.line,
                    "\(commas + 1) values between commas, the header has \(columns) columns; expected numbers with decimal "
                        + "points")
            }
            if !hasPoint, columns == nil, commas >= 3, doubt == nil {
                doubt = (rows.line, CloudSource.shown(bytes[line]))
            }
            return false
        }
        let (second, third) = (groups.group(), groups.group())
        let all = [first, second, third]
        if all.allSatisfy({ Self.isDecimal(bytes, $0) }) {
            try beginDecimal(rows)
            noteGroups(bytes, all)
            return true
        }
        let areSeparated =
            bytes[first.upperBound..<second.lowerBound].contains(0x3B)
            && bytes[second.upperBound..<third.lowerBound].contains(0x3B)
        if areSeparated, all.allSatisfy({ Self.isDecimal(bytes, $0) || Self.isWhole(bytes, $0) }) {
            if all.contains(where: { bytes[$0].contains(0x2C) }) { try beginDecimal(rows) }
            noteGroups(bytes, all)
            return true
        }
        // "1.5 2.5 3.5 a,b": the commas come after the numbers. "1,2,3 red": they all stand before the first blank.
        let areLater = all.allSatisfy { !bytes[$0].contains(0x2C) } && all.contains { bytes[$0].contains(0x2E) }
        let areFirst =
            Self.tightCommas(bytes, first) >= 2 && Self.tightCommas(bytes, first.upperBound..<line.upperBound) == 0
        guard areLater || areFirst else {
            throw source.error(
                line: rows.line,
                "found \(CloudSource.shown(bytes[line])); expected x, y and z with decimal points, or all three with decimal "
                    + "commas and separated by semicolons, tabs or blanks")
        }
        if areFirst, bytes[first].contains(0x2E) { hasPoint = true }
        return false
    }

    /// Whether the commas within the cells of x, y and z are decimal commas.
    mutating func isDecimal(
        _ coordinates: [XYZCells.Cell], of row: XYZCells, _ rows: TextRows, hasHeading: Bool
    ) throws(PointCloudError) -> Bool {
        let (bytes, line) = (rows.bytes, rows.restRange)
        guard coordinates.contains(where: { bytes[$0.range].contains(0x2C) }) else {
            guard row.separator == 0x2C, !hasHeading, row.cells.count > 3 else { return false }
            if bytes[line].contains(0x2E) { hasPoint = true }
            if !hasPoint, doubt == nil, !coordinates.contains(where: \.isQuoted) {
                doubt = (rows.line, CloudSource.shown(bytes[line]))
            }
            return false
        }
        let mayBeWhole = row.separator == 0x3B
        guard
            coordinates.allSatisfy({
                Self.isDecimal(bytes, $0.range) || (mayBeWhole && Self.isWhole(bytes, $0.range))
            })
        else {
            throw source.error(
                line: rows.line,
                "found \(CloudSource.shown(bytes[line])); expected x, y and z all with decimal points or all with decimal commas"
            )
        }
        try beginDecimal(rows)
        noteGroups(bytes, coordinates.map(\.range))
        return true
    }

    private mutating func noteGroups(_ bytes: UnsafeRawBufferPointer, _ words: [Range<Int>]) {
        if areGrouped { areGrouped = words.allSatisfy { Self.isGrouped(bytes, $0) } }
    }

    /// Whether a word may be a whole number with separators of thousands: `1,234`, or one below 1000.
    private static func isGrouped(_ bytes: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        let digits = bytes[word].drop { $0 == 0x2B || $0 == 0x2D }
        guard let comma = digits.firstIndex(of: 0x2C) else { return digits.count <= 3 }
        return (1...3).contains(comma - digits.startIndex) && digits.first != 0x30 && digits.endIndex - comma == 4
            && digits.allSatisfy { isDigit($0) || $0 == 0x2C }
    }

    private mutating func beginDecimal(_ rows: TextRows) throws(PointCloudError) {
        if let pointLine {
            throw source.error(
                line: rows.line,
                "found \(CloudSource.shown(rows.rest)), but line \(pointLine) has no decimal commas")
        }
        commaLine = commaLine ?? rows.line
    }

    /// Notes a line without decimal commas.
    ///
    /// - Parameters:
    ///   - isNumber: whether x, y or z is finite; a missing measurement is written the same either way.
    ///   - isWhole: whether they are whole numbers between semicolons; these are written the same either way, too.
    @inline(__always)
    mutating func expectPoint(
        line: Int, isNumber: @autoclosure () -> Bool, isWhole: @autoclosure () -> Bool
    ) throws(PointCloudError) {
        // In most files nothing else is done, from the second line on.
        if pointLine != nil, commaLine == nil { return }
        if isNumber(), !isWhole() { try notePoint(line: line) }
    }

    /// Whether the first three values of a line are whole numbers, or none, between semicolons.
    @inline(never)
    static func areWhole(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        var separators = 0
        for index in line {
            switch bytes[index] {
            case 0x3B:
                separators += 1
                if separators == 3 { return true }
            // Signs, blanks and the letters of an exponent and of "nan", too.
            case 0x30...0x39, 0x2B, 0x2D, 0x20, 0x09, 0x45, 0x65, 0x41, 0x61, 0x4E, 0x6E: continue
            default: return false
            }
        }
        return separators == 2
    }

    @inline(never)
    private mutating func notePoint(line: Int) throws(PointCloudError) {
        if let commaLine {
            throw source.error(
                line: line,
                "the numbers have no decimal commas, those of line \(commaLine) have; expected one or the other")
        }
        pointLine = line
    }

    /// Refuses a file whose commas remained ambiguous.
    func check() throws(PointCloudError) {
        guard let doubt, !hasPoint else { return }
        throw source.error(
            line: doubt.line,
            "found \(doubt.text), and no decimal point in the file: these may be decimal commas; expected three numbers in "
                + "a line, decimal points, semicolons between the numbers, or a header such as x,y,z,intensity")
    }

    /// The value of a number with a decimal comma, of a whole one, or of one without digits ("nan"); `nil` for all others.
    static func number(_ bytes: UnsafeRawBufferPointer, _ word: Range<Int>) -> Double? {
        guard isDecimal(bytes, word) || isWhole(bytes, word), word.count <= 64 else { return nil }
        let text = bytes[word].map { $0 == 0x2C ? 0x2E : $0 }
        return text.withUnsafeBytes { NumberText.number($0, 0, $0.count) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The number of commas between two digits.
    private static func tightCommas(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var count = 0
        for index in range where bytes[index] == 0x2C && index > range.lowerBound && index + 1 < range.upperBound {
            if isDigit(bytes[index - 1]), isDigit(bytes[index + 1]) { count += 1 }
        }
        return count
    }

    /// Whether a word is a number without a fraction.
    private static func isWhole(_ bytes: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        bytes[word].contains(where: isDigit)
            && bytes[word].allSatisfy { isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 | 0x20 == 0x65 }
    }

    /// Whether a word is a number without a fraction, or has no digits.
    static func isWholeOrNone(_ bytes: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        isWhole(bytes, word) || !bytes[word].contains(where: isDigit)
    }

    /// Whether a word is a number with exactly one comma, between digits, and no point, or has no digits.
    private static func isDecimal(_ bytes: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        guard !word.isEmpty else { return false }
        let commas = bytes[word].reduce(0) { $1 == 0x2C ? $0 + 1 : $0 }
        if commas == 0 { return !bytes[word].contains(where: isDigit) }
        return commas == 1 && tightCommas(bytes, word) == 1 && !bytes[word].contains(0x2E)
    }
}
