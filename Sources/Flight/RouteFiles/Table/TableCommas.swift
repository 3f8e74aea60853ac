/// Recognizes tables whose four columns may be x and y with decimal commas: `1,5,2,5`.
struct TableCommas {
    static let warning =
        "no number has a decimal point: the commas are read as separators of x, y, z and heading, not as decimal commas"

    /// Whether the table has four columns, between commas, and no header.
    var isPlain = false
    private var areFractions = true
    private var isAnyNonzero = false

    /// Whether every row may be two numbers with decimal commas, and one of them has a fraction.
    var areDoubtful: Bool { isPlain && areFractions && isAnyNonzero }

    mutating func take(_ cells: [String]) {
        guard isPlain, areFractions, cells.count == 4 else { return }
        func isWhole(_ cell: String) -> Bool { !cell.isEmpty && cell.utf8.allSatisfy { $0 &- 0x30 < 10 } }
        areFractions = isWhole(cells[1]) && isWhole(cells[3]) && !cells[0].contains(".") && !cells[2].contains(".")
        if cells[3].utf8.contains(where: { $0 != 0x30 }) { isAnyNonzero = true }
    }
}

/// Numbers with decimal commas, which are read between semicolons: there no comma separates.
struct DecimalCommas {
    /// The first line with a decimal comma, and the first with a decimal point.
    private var (commaLine, pointLine): (Int?, Int?) = (nil, nil)
    /// Whether every number so far may be a whole one whose comma separates thousands.
    private var areGrouped = true

    static let groupingWarning =
        "every comma has three digits behind it: they are read as decimal commas, not as separators of thousands"

    /// Whether the commas of the table may separate thousands.
    var areDoubtful: Bool { commaLine != nil && areGrouped }

    /// Whether a cell is a number with one comma, between digits.
    static func isNumber(_ cell: String) -> Bool {
        let parts = cell.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, !cell.contains("."), parts[0].last?.isNumber == true, parts[1].first?.isNumber == true
        else { return false }
        return PlainNumber.double(pointed(cell)) != nil
    }

    /// A cell of a column of numbers, with a decimal point.
    ///
    /// - Throws: an error if the file has both.
    mutating func number(_ cell: String, line: Int) throws(RouteFileError) -> String {
        let hasComma = Self.isNumber(cell)
        if areGrouped { areGrouped = Self.isGrouped(cell) }
        guard hasComma || (cell.contains(".") && PlainNumber.double(cell) != nil) else { return cell }
        if let other = hasComma ? pointLine : commaLine {
            throw RouteFileError(
                "found \(RouteFileError.shown(cell)), but line \(other) has a decimal \(hasComma ? "point" : "comma");"
                    + " expected one or the other")
        }
        if hasComma { commaLine = commaLine ?? line } else { pointLine = pointLine ?? line }
        return hasComma ? Self.pointed(cell) : cell
    }

    /// Whether a cell may be a whole number with separators of thousands: `1,234`, or one below 1000.
    private static func isGrouped(_ cell: String) -> Bool {
        let digits = cell.drop { $0 == "+" || $0 == "-" }
        func isWhole(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 &- 0x30 < 10 } }
        guard digits.utf8.contains(0x2C) else { return digits.utf8.count <= 3 || !isWhole(digits) }
        let parts = digits.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return (1...3).contains(parts[0].utf8.count) && parts[0].first != "0" && parts[1].utf8.count == 3
            && isWhole(parts[1])
    }

    private static func pointed(_ cell: String) -> String { cell.replacing(",", with: ".") }
}

extension TableColumn {
    /// Whether its cells are numbers.
    var isNumeric: Bool {
        switch self {
        case .x, .y, .z, .latitude, .longitude, .altitude, .heading, .cameraPitchDegrees: true
        case .annotation(let key): key != "heading_towards" && key != "altitude_reference"
        case .name, .unknown: false
        }
    }
}
