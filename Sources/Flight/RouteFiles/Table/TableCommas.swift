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
