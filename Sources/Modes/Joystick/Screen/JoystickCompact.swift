internal import TextScreen
internal import UAVLink

/// The joystick screen where there is no space for sticks and the view from above: text in whole lines.
///
/// What does not fit is left out, the least important first; nothing is cut. The help has it (``JoystickFigures/details``).
enum JoystickCompact {
    /// A paragraph with its rank; that with the highest one is left out first.
    private struct Block {
        var rank: Int
        var paragraph: JoystickStatus.Paragraph
        /// Whether each of its lines says something by itself, so that the first ones are shown where not all fit.
        var isList = false
    }

    /// The fewest rows and columns of the full screen.
    private static let full = (rows: 17, columns: JoystickStatus.columns)

    /// Whether an area is too small for sticks and figures.
    static func isUsed(in area: ScreenArea) -> Bool { area.rows < full.rows || area.columns < full.columns }

    /// Draws the text.
    static func draw(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        JoystickStatus.drawControl(state, on: &canvas, in: area)
        JoystickStatus.write(shown(state, in: area), on: &canvas, in: area.split(top: 1).rest)
    }

    /// The paragraphs that fit below the line of control.
    private static func shown(_ state: JoystickScreenState, in area: ScreenArea) -> [JoystickStatus.Paragraph] {
        let blocks = blocks(state, columns: max(1, area.columns - 1))
        var (free, kept) = (max(0, area.rows - 1), [Int: JoystickStatus.Paragraph]())
        for block in blocks.sorted(by: { $0.rank < $1.rank }) {
            let lines = block.paragraph.lines
            guard free > 0, lines.count <= free || block.isList else { continue }
            kept[block.rank] = JoystickStatus.Paragraph(Array(lines.prefix(free)), block.paragraph.style)
            free -= min(free, lines.count)
        }
        return blocks.compactMap { kept[$0.rank] }
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
            (5, figures.limits.isEmpty ? nil : text("limits \(figures.limits)")),
            (placeRank, place(figures, columns: columns)),
            (9, text("\(state.link.rawValue) Hz \(figures.rate)")), (8, text("source \(figures.source)")),
            (2, JoystickStatus.lastStop(state, columns: columns)),
            (noteRank(state), JoystickStatus.note(state, columns: columns)),
        ]
        return ranked.compactMap { rank, paragraph in
            paragraph.flatMap { $0.lines == [""] ? nil : Block(rank: rank, paragraph: $0, isList: rank == placeRank) }
        }
    }

    private static let placeRank = 7

    /// The progress of a command comes before why steering ended some time ago; what is said of the keyboard is in the name of the
    /// source too.
    private static func noteRank(_ state: JoystickScreenState) -> Int {
        state.underWay != nil ? 1 : state.source.hasPrefix("keyboard") ? 10 : 6
    }

    /// Height, place and speed, as many in a line as it has space for.
    private static func place(_ figures: JoystickFigures, columns: Int) -> JoystickStatus.Paragraph? {
        var lines: [String] = []
        for part in figures.place {
            if let last = lines.last, last.cells + 2 + part.cells <= columns {
                lines[lines.count - 1] = "\(last), \(part)"
            } else {
                lines.append(part)
            }
        }
        return lines.isEmpty ? nil : JoystickStatus.Paragraph(lines)
    }
}
