internal import TextScreen
internal import UAVLink

/// The joystick screen where there is no space for sticks and the view from above: text in whole lines.
///
/// What does not fit is left out, the least important first; nothing is cut.
enum JoystickCompact {
    /// A paragraph with its rank; that with the highest one is left out first.
    private struct Block {
        var rank: Int
        var paragraph: JoystickStatus.Paragraph
    }

    /// The fewest rows and columns of the full screen.
    private static let full = (rows: 17, columns: JoystickStatus.columns)

    /// Whether an area is too small for sticks and figures.
    static func isUsed(in area: ScreenArea) -> Bool { area.rows < full.rows || area.columns < full.columns }

    /// Draws the text.
    static func draw(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        JoystickStatus.drawControl(state, on: &canvas, in: area)
        let rest = area.split(top: 1).rest
        let blocks = blocks(state, columns: max(1, area.columns - 1))
        var (free, kept) = (rest.rows, Set<Int>())
        for block in blocks.sorted(by: { $0.rank < $1.rank }) where block.paragraph.lines.count <= free {
            free -= block.paragraph.lines.count
            kept.insert(block.rank)
        }
        JoystickStatus.write(
            blocks.filter { kept.contains($0.rank) }.map(\.paragraph), on: &canvas, in: rest)
    }

    /// All paragraphs, from top to bottom.
    private static func blocks(_ state: JoystickScreenState, columns: Int) -> [Block] {
        let figures = JoystickFigures(state: state)
        func text(_ words: String, _ style: Style = .plain) -> JoystickStatus.Paragraph? {
            words.isEmpty ? nil : JoystickStatus.Paragraph(words.wrapped(to: columns), style)
        }
        let advice = JoystickStatus.advice(state, columns: columns)
        let ranked: [(Int, JoystickStatus.Paragraph?)] = [
            (3, advice.first), (4, advice.dropFirst().first),
            (0, text("sends \(figures.setpoint)", state.isSending ? .plain : .muted)),
            (5, figures.limits.isEmpty ? nil : text("limits \(figures.limits)")), (7, text(figures.place)),
            (9, text("\(state.link.rawValue) Hz \(figures.rate)")), (8, text("source \(figures.source)")),
            (2, JoystickStatus.lastStop(state, columns: columns)),
            // The progress of a command comes before why steering ended some time ago.
            (state.underWay == nil ? 6 : 1, JoystickStatus.note(state, columns: columns)),
        ]
        return ranked.compactMap { rank, paragraph in
            paragraph.flatMap { $0.lines == [""] ? nil : Block(rank: rank, paragraph: $0) }
        }
    }
}
