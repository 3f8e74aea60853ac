/// What a colour means; what it looks like is decided where the terminal's abilities are known.
public enum Tone: UInt8, Hashable, Sendable, CaseIterable {
    /// What stands out without a judgement: titles, the chosen, the vehicle.
    case accent
    /// As it should be.
    case good
    /// Worth a look.
    case warning
    /// Act now.
    case danger
    /// There, but of no weight: frames, units, hints.
    case muted
    /// A second thing beside the accent: a prediction, another vehicle.
    case second
}

/// The colour of a character or of what is behind it.
public enum Color: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// By meaning.
    case tone(Tone)
    /// One of the 256 of xterm; the first 16 are the terminal's own.
    case indexed(UInt8)
    /// Red, green, blue.
    case rgb(UInt8, UInt8, UInt8)
}

/// How a character is shown.
public struct Style: Hashable, Sendable {
    /// Attributes that any terminal has, and that stay when colours are off.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// Of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Heavier.
        public static let bold = Self(rawValue: 1)
        /// Lighter.
        public static let dim = Self(rawValue: 2)
        /// Slanted.
        public static let italic = Self(rawValue: 4)
        /// With a line below.
        public static let underline = Self(rawValue: 8)
        /// Foreground and background changed over.
        public static let reverse = Self(rawValue: 16)
        /// With a line through it.
        public static let strike = Self(rawValue: 32)
        /// Blinking.
        public static let blink = Self(rawValue: 64)
    }

    /// The character's colour.
    public var foreground: Color
    /// What is behind it.
    public var background: Color
    /// Attributes.
    public var attributes: Attributes

    /// A style.
    public init(_ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own.
    public static let plain = Style()
    /// Of no weight.
    public static let muted = Style(.tone(.muted))
    /// A heading.
    public static let title = Style(.tone(.accent), .bold)
    /// What the next key acts on; visible without colours too.
    public static let selected = Style(.standard, .reverse)
    /// In the colour of a meaning. What must be seen without colours too is bold besides.
    public static func tone(_ tone: Tone) -> Style {
        switch tone {
        case .danger: Style(.tone(.danger), .bold)
        case .warning: Style(.tone(.warning), .bold)
        default: Style(.tone(tone))
        }
    }

    /// A style in the terminal's own background.
    public init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }

    /// This style with more attributes.
    public func adding(_ more: Attributes) -> Style {
        Style(foreground, on: background, attributes.union(more))
    }
}
