/// The meaning of a colour; the painter maps it to a colour that the terminal supports.
public enum Tone: UInt8, Hashable, Sendable, CaseIterable {
    /// Neutral emphasis: titles, the selection, the vehicle.
    case accent
    /// Normal.
    case good
    /// Needs attention.
    case warning
    /// Needs immediate action.
    case danger
    /// Unimportant: frames, units, hints.
    case muted
    /// A second emphasis: a prediction, another vehicle.
    case second
}

/// A foreground or background colour.
public enum Color: Hashable, Sendable {
    /// The terminal's default.
    case standard
    /// A colour by its meaning.
    case tone(Tone)
    /// One of xterm's 256 colours; the first 16 are defined by the terminal.
    case indexed(UInt8)
    /// Red, green, blue.
    case rgb(UInt8, UInt8, UInt8)
}

/// The style of a character.
public struct Style: Hashable, Sendable {
    /// Attributes other than colours; used without colours too.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bit mask.
        public let rawValue: UInt8
        /// Creates a set from a bit mask.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Bold.
        public static let bold = Self(rawValue: 1)
        /// Dim.
        public static let dim = Self(rawValue: 2)
        /// Italic.
        public static let italic = Self(rawValue: 4)
        /// Underlined.
        public static let underline = Self(rawValue: 8)
        /// Foreground and background exchanged.
        public static let reverse = Self(rawValue: 16)
        /// Struck through.
        public static let strike = Self(rawValue: 32)
        /// Blinking.
        public static let blink = Self(rawValue: 64)
    }

    /// The foreground colour.
    public var foreground: Color
    /// The background colour.
    public var background: Color
    /// The other attributes.
    public var attributes: Attributes

    /// Creates a style.
    public init(_ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's default.
    public static let plain = Style()
    /// Unimportant.
    public static let muted = Style(.tone(.muted))
    /// A heading.
    public static let title = Style(.tone(.accent), .bold)
    /// The selection; visible without colours too.
    public static let selected = Style(.standard, .reverse)
    /// The style of a tone; warning and danger are also bold, so that they are visible without colours.
    public static func tone(_ tone: Tone) -> Style {
        switch tone {
        case .danger: Style(.tone(.danger), .bold)
        case .warning: Style(.tone(.warning), .bold)
        default: Style(.tone(tone))
        }
    }

    /// Creates a style with the terminal's default background.
    public init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }

    /// This style with additional attributes.
    public func adding(_ more: Attributes) -> Style {
        Style(foreground, on: background, attributes.union(more))
    }
}
