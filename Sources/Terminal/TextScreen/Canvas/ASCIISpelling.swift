/// Words in place of signs whose ASCII characters would be read as something else, where a line has blanks to spare: `90 deg`, not
/// `90o`; `Up Down`, not the letters and brackets that are keys themselves.
///
/// The word takes the blanks before the sign. Where there are too few, what stands behind it moves right into the next gaps, of which
/// each keeps a blank, and the text beyond them stays in its columns. Without enough gaps before the next line of a frame the sign
/// keeps its single character of ``ASCIIText``.
enum ASCIISpelling {
    /// A sign, as drawn, and what is written for it.
    private struct Rule {
        let sign: [Character]
        let word: [Character]
        /// Whether a blank parts it from a character directly before it.
        let needsBlank: Bool

        init(_ sign: String, _ word: String, needsBlank: Bool = false) {
            (self.sign, self.word, self.needsBlank) = (Array(sign), Array(word), needsBlank)
        }
    }

    private static let rules = [
        Rule("°", "deg", needsBlank: true), Rule("±", "+/-"), Rule("↑ ↓", "Up Down"), Rule("← →", "Left Right"),
    ]

    /// The canvas with these signs spelled out.
    static func spelled(_ canvas: Canvas) -> Canvas {
        var canvas = canvas
        for row in 0..<canvas.size.rows {
            var column = 0
            while column < canvas.size.columns {
                guard !canvas[row, column].character.isASCII,
                    let rule = rules.first(where: { isThere($0.sign, row, column, canvas) })
                else {
                    column += 1
                    continue
                }
                column = spell(rule, row, column, &canvas)
            }
        }
        return canvas
    }

    private static func isThere(_ sign: [Character], _ row: Int, _ column: Int, _ canvas: Canvas) -> Bool {
        column + sign.count <= canvas.size.columns
            && sign.indices.allSatisfy { canvas[row, column + $0].character == sign[$0] }
    }

    /// Writes the word; returns the column behind it.
    private static func spell(_ rule: Rule, _ row: Int, _ column: Int, _ canvas: inout Canvas) -> Int {
        let before = column > 0 ? canvas[row, column - 1].character : " "
        let word = rule.needsBlank && before != " " ? [" "] + rule.word : rule.word
        let end = column + rule.sign.count
        let extra = word.count - rule.sign.count
        let style = canvas[row, column].style
        if hasBlanksBefore(row, column, count: extra, canvas) {
            write(word, row, column - extra, style, &canvas)
            return end
        }
        guard let gaps = gaps(row, from: end, count: extra, canvas), let last = gaps.last else { return end }
        let moved = (end...last).filter { !gaps.contains($0) }.map { canvas[row, $0] }
        if let cursor = canvas.cursor, cursor.row == row, (end...last).contains(cursor.column) {
            canvas.cursor = (row, cursor.column + extra - gaps.count { $0 < cursor.column })
        }
        // Blanks first: half of a wide character would take the other half with it.
        for at in end...last { canvas[row, at] = Cell(" ", canvas[row, at].style) }
        write(word, row, column, style, &canvas)
        for (offset, cell) in moved.enumerated() { canvas[row, end + extra + offset] = cell }
        return end + extra
    }

    private static func write(
        _ word: [Character], _ row: Int, _ column: Int, _ style: Style, _ canvas: inout Canvas
    ) {
        for (offset, character) in word.enumerated() { canvas[row, column + offset] = Cell(character, style) }
    }

    /// Whether so many blanks stand before a column, and one more that parts them from what is before.
    private static func hasBlanksBefore(_ row: Int, _ column: Int, count: Int, _ canvas: Canvas) -> Bool {
        guard column >= count else { return false }
        return (max(0, column - count - 1)..<column).allSatisfy { isSpare(canvas[row, $0]) }
    }

    /// The columns of blanks that can be given up, the nearest first; `nil` if there are too few before a frame's line or the end.
    private static func gaps(_ row: Int, from start: Int, count: Int, _ canvas: Canvas) -> [Int]? {
        var found: [Int] = []
        for column in start..<canvas.size.columns {
            let cell = canvas[row, column]
            if isFrame(cell.character) { return nil }
            guard isSpare(cell), isKept(row, column, canvas) else { continue }
            found.append(column)
            if found.count == count { return found }
        }
        return nil
    }

    /// Whether a cell is empty; an underlined blank is part of a text field.
    private static func isSpare(_ cell: Cell) -> Bool {
        cell.character == " " && !cell.style.attributes.contains(.underline)
    }

    /// Whether another blank follows, so that a blank stays between what is moved and what is not.
    private static func isKept(_ row: Int, _ column: Int, _ canvas: Canvas) -> Bool {
        column + 1 >= canvas.size.columns || isSpare(canvas[row, column + 1])
    }

    private static func isFrame(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return (0x2500...0x257F).contains(scalar.value)
    }
}
