/// ASCII characters in place of others, for terminals and fonts without them.
enum ASCIIText {
    /// What is written for a character where a line may become longer.
    static func spelling(of character: Character) -> String {
        switch character {
        case "±": "+/-"
        case "°": " deg"
        default: replacement(of: character)
        }
    }

    /// What is written for a character: as many columns as it takes.
    static func replacement(of character: Character) -> String {
        if character.isASCII { return String(character) }
        if let known = known[character] { return String(known) }
        if let scalar = character.unicodeScalars.first, (0x2800...0x28FF).contains(scalar.value) {
            return braille(scalar.value - 0x2800)
        }
        // A letter with combining accents loses them.
        if let base = character.unicodeScalars.first, base.isASCII { return String(base) }
        return String(repeating: "?", count: character.cells)
    }

    /// No letter stands for a sign that is not read as that letter's form: `x` is a cross, `v` an arrow, `H` home. ``ASCIISpelling``
    /// writes words for signs that are misread, where there is space.
    private static let known: [Character: Character] = [
        "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
        "═": "=", "║": "|", "╔": "+", "╗": "+", "╚": "+", "╝": "+", "╭": "+", "╮": "+", "╯": "+", "╰": "+",
        "·": ".", "•": "*", "…": "~", "–": "-", "—": "-", "‹": "<", "›": ">", "°": "*", "±": "~", "×": "x", "≈": "~",
        "←": "<", "↑": "^", "→": ">", "↓": "v", "↖": "\\", "↗": "/", "↘": "\\", "↙": "/", "⌂": "H",
        "▁": "_", "▂": "_", "▃": ".", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "█": "#", "░": ".", "▒": ":", "▓": "%",
        "▫": "#", "▮": "#", "▯": "-", "▲": "^", "▼": "v", "◀": "<", "▶": ">", "▸": ">", "◇": "+", "○": "-", "●": "*",
        "◐": "+", "✓": "+", "✗": "x",
        "\u{2421}": "?", "ß": "s", "µ": "u", "“": "\"", "”": "\"", "‘": "'", "’": "'", "\u{A0}": " ",
    ]

    /// The more dots, the darker.
    private static func braille(_ dots: UInt32) -> String {
        switch dots.nonzeroBitCount {
        case 0: " "
        case 1...2: "."
        case 3...5: ":"
        default: "#"
        }
    }
}
