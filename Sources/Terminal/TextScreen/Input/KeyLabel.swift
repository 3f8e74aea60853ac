extension KeyEvent {
    /// The first key of a label as on a keyboard and in the help: `t`, `G`, `F7`, `Enter`, `Ctrl-L`, `Alt-h`; `nil` for any other
    /// text.
    public init?(label: String) {
        guard let first = label.split(separator: " ").first else { return nil }
        let word = first.count > 1 && first.hasSuffix(",") ? first.dropLast() : first
        if let key = Self.named[String(word)] {
            self.init(key, text: key == .character(" ") ? " " : nil)
        } else if word.count == 1, let character = word.first {
            let isCapital = character.isUppercase
            self.init(
                .character(isCapital ? Self.small(character) : character), isCapital ? .shift : [], text: String(word))
        } else if word.hasPrefix("F"), let number = Int(word.dropFirst()), (1...24).contains(number) {
            self.init(.function(number))
        } else if word.hasPrefix("Ctrl-"), word.count == 6, let character = word.last {
            self.init(.character(Self.small(character)), .control)
        } else if word.hasPrefix("Alt-"), word.count == 5, let character = word.last {
            self.init(.character(Self.small(character)), .alt)
        } else {
            return nil
        }
    }

    /// The label of a function key, Insert, or a letter with Ctrl or Alt; `nil` for others.
    public var label: String? {
        switch (key, modifiers) {
        case (.function(let number), []): "F\(number)"
        case (.insert, []): "Insert"
        case (.character(let letter), .control): "Ctrl-\(letter.uppercased())"
        case (.character(let letter), .alt): "Alt-\(letter)"
        default: nil
        }
    }

    private static let named: [String: Key] = [
        "Enter": .enter, "Tab": .tab, "Esc": .escape, "Space": .character(" "), "PgUp": .pageUp, "PgDn": .pageDown,
        "Home": .home, "End": .end, "↑": .up, "↓": .down, "←": .left, "→": .right, "Del": .delete,
        "Insert": .insert, "Backspace": .backspace,
    ]

    /// The small letter, where it is a single character.
    private static func small(_ character: Character) -> Character {
        let text = character.lowercased()
        return text.count == 1 ? text.first ?? character : character
    }
}
