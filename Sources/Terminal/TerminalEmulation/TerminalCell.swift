/// A colour as the program in the terminal asked for it.
public enum TerminalColor: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// One of xterm's 256; the first 16 are the terminal's own.
    case indexed(UInt8)
    /// Red, green, blue.
    case rgb(UInt8, UInt8, UInt8)
}

/// How a character is shown.
public struct TerminalStyle: Hashable, Sendable {
    /// What any terminal can do besides colours.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// Of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Heavier.
        public static let bold = Self(rawValue: 1)
        /// Slanted.
        public static let italic = Self(rawValue: 2)
        /// With a line below.
        public static let underline = Self(rawValue: 4)
        /// Blinking.
        public static let blink = Self(rawValue: 8)
        /// Foreground and background changed over.
        public static let reverse = Self(rawValue: 16)
        /// With a line through it.
        public static let strike = Self(rawValue: 32)
    }

    /// The character's colour.
    public var foreground: TerminalColor
    /// What is behind it.
    public var background: TerminalColor
    /// The rest.
    public var attributes: Attributes

    /// A style.
    public init(
        _ foreground: TerminalColor = .standard, on background: TerminalColor = .standard,
        _ attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own.
    public static let plain = TerminalStyle()
}

/// One character of an emulated terminal.
public struct TerminalCell: Hashable, Sendable {
    /// What stands in it, with its combining marks; never a control or format character.
    public var character: Character
    /// How it is shown.
    public var style: TerminalStyle
    /// How many columns it takes: 1, 2, or 0 for the right half of the one before.
    public var width: UInt8

    /// A cell.
    public init(_ character: Character = " ", _ style: TerminalStyle = .plain, width: UInt8 = 1) {
        self.character = character
        self.style = style
        self.width = width
    }

    /// Nothing.
    public static let blank = TerminalCell()
}

/// One line of an emulated terminal; blanks at its end are left out.
public struct TerminalLine: Hashable, Sendable {
    /// Its cells from the left.
    public var cells: [TerminalCell]

    /// A line of these cells; blanks at its end are dropped.
    public init(_ cells: [TerminalCell] = []) {
        let end = cells.lastIndex { $0 != .blank } ?? -1
        self.cells = end + 1 == cells.count ? cells : Array(cells[...end])
    }

    /// A line of plain text; for notes of our own.
    public init(_ text: String) {
        self.init(text.map { TerminalCell($0) })
    }

    /// What stands in it.
    public var text: String { String(cells.lazy.filter { $0.width > 0 }.map(\.character)) }

    /// Where a text stands in it, whatever its case, as ranges of cells.
    public func places(of wanted: String) -> [Range<Int>] {
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
