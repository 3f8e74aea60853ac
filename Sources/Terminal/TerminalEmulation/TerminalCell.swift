/// A colour as requested by the program in the terminal.
package enum TerminalColor: Hashable, Sendable {
    /// The terminal's default.
    case standard
    /// One of xterm's 256 colours; the first 16 are defined by the terminal.
    case indexed(UInt8)
    /// Red, green, blue.
    case rgb(UInt8, UInt8, UInt8)
}

/// The style of a character.
package struct TerminalStyle: Hashable, Sendable {
    /// Attributes other than colours.
    package struct Attributes: OptionSet, Hashable, Sendable {
        /// The bit mask.
        package let rawValue: UInt8
        /// Creates a set from a bit mask.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let bold = Self(rawValue: 1)
        package static let italic = Self(rawValue: 2)
        /// Underlined.
        package static let underline = Self(rawValue: 4)
        package static let blink = Self(rawValue: 8)
        /// Foreground and background exchanged.
        package static let reverse = Self(rawValue: 16)
        /// Struck through.
        package static let strike = Self(rawValue: 32)
    }

    /// The foreground colour.
    package var foreground: TerminalColor
    /// The background colour.
    package var background: TerminalColor
    /// The other attributes.
    package var attributes: Attributes

    package init(
        _ foreground: TerminalColor = .standard, on background: TerminalColor = .standard,
        _ attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's default.
    package static let plain = TerminalStyle()
}

/// A cell of an emulated terminal.
package struct TerminalCell: Hashable, Sendable {
    /// The character with its combining marks; never a control or format character.
    package var character: Character
    package var style: TerminalStyle
    /// The width in columns: 1, 2, or 0 for the right half of the character before.
    package var width: UInt8

    package init(_ character: Character = " ", _ style: TerminalStyle = .plain, width: UInt8 = 1) {
        self.character = character
        self.style = style
        self.width = width
    }

    package static let blank = TerminalCell()
}

/// A line of an emulated terminal, without trailing blanks.
package struct TerminalLine: Hashable, Sendable {
    /// The cells from the left.
    package var cells: [TerminalCell]

    /// Creates a line; trailing blanks are removed.
    package init(_ cells: [TerminalCell] = []) {
        let end = cells.lastIndex { $0 != .blank } ?? -1
        self.cells = end + 1 == cells.count ? cells : Array(cells[...end])
    }

    /// Creates a line of plain text, for messages of this program.
    package init(_ text: String) {
        self.init(text.map { TerminalCell($0) })
    }

    /// The text of the line.
    package var text: String { String(cells.lazy.filter { $0.width > 0 }.map(\.character)) }

    /// The occurrences of a text, ignoring case, as ranges of cells.
    package func places(of wanted: String) -> [Range<Int>] {
        let needle = wanted.lowercased().map { $0 }
        let shown = cells.indices.filter { cells[$0].width > 0 }
        let hay = shown.map { cells[$0].character.lowercased() }
        guard !needle.isEmpty, hay.count >= needle.count else { return [] }
        var found: [Range<Int>] = []
        var at = 0
        while at + needle.count <= hay.count {
            if needle.indices.allSatisfy({ hay[at + $0] == String(needle[$0]) }) {
                let last = shown[at + needle.count - 1]
                found.append(shown[at]..<last + max(1, Int(cells[last].width)))
                at += needle.count
            } else {
                at += 1
            }
        }
        return found
    }
}
