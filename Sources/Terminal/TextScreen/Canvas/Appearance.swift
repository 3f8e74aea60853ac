/// The colours of the tones, chosen for a background.
public enum Theme: String, Hashable, Sendable, CaseIterable {
    /// For a dark background.
    case dark
    /// For a light background.
    case light
    /// For a dark background in bright light, or for weak eyes.
    case highContrast = "high-contrast"
    /// No colours, only bold, underlined and reversed text.
    case none
}

/// How canvases are displayed on a terminal.
public struct Appearance: Hashable, Sendable {
    /// The colours that the terminal supports.
    public var depth: ColorDepth
    /// The colours of the tones.
    public var theme: Theme
    /// Whether only ASCII characters are written.
    public var isASCII: Bool

    /// An appearance.
    public init(depth: ColorDepth, theme: Theme = .dark, isASCII: Bool = false) {
        (self.depth, self.theme, self.isASCII) = (depth, theme, isASCII)
    }

    /// What the environment says of the terminal: its colours by ``ColorDepth/init(environment:)``; ASCII if its locale
    /// (`LC_ALL`, else `LC_CTYPE`, else `LANG`) is set and is none with UTF-8, or if it is the console of Linux, whose font
    /// lacks braille dots and most signs.
    ///
    /// - Parameters:
    ///   - theme: the user's choice.
    ///   - isASCII: the user's choice; `nil` leaves it to the environment.
    public init(environment: [String: String], theme: Theme = .dark, isASCII: Bool? = nil) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let isForeign = locale.map { locale in
            let name = locale.lowercased()
            return !name.contains("utf-8") && !name.contains("utf8")
        }
        self.init(
            depth: theme == .none ? .none : ColorDepth(environment: environment), theme: theme,
            isASCII: isASCII ?? (environment["TERM"] == "linux" || isForeign == true))
    }

    /// A text as it is written outside of a canvas: in ASCII where only that is written. Words in place of signs make it longer.
    public func spelled(_ text: String) -> String {
        guard isASCII else { return text }
        var spelled = ""
        for character in text { spelled += ASCIIText.spelling(of: character) }
        return spelled
    }
}

/// The colours of the tones: the palette of Okabe and Ito, which is distinguishable with the common kinds of colour blindness
/// (Color Universal Design, 2008); darker for a light background, lighter for high contrast.
enum Palette {
    struct Look {
        var basic: UInt8
        var indexed: UInt8
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    static func look(_ tone: Tone, _ theme: Theme) -> Look {
        switch theme {
        case .dark, .none: dark(tone)
        case .light: light(tone)
        case .highContrast: highContrast(tone)
        }
    }

    private static func dark(_ tone: Tone) -> Look {
        switch tone {
        case .accent: Look(basic: 14, indexed: 74, red: 86, green: 180, blue: 233)
        case .good: Look(basic: 2, indexed: 36, red: 0, green: 158, blue: 115)
        case .warning: Look(basic: 11, indexed: 178, red: 230, green: 159, blue: 0)
        case .danger: Look(basic: 9, indexed: 166, red: 213, green: 94, blue: 0)
        case .muted: Look(basic: 8, indexed: 245, red: 138, green: 138, blue: 138)
        case .second: Look(basic: 13, indexed: 175, red: 204, green: 121, blue: 167)
        }
    }

    /// At least 4.5 to 1 on white (WCAG 2.1, 1.4.3).
    private static func light(_ tone: Tone) -> Look {
        switch tone {
        case .accent: Look(basic: 4, indexed: 25, red: 0, green: 95, blue: 160)
        case .good: Look(basic: 2, indexed: 23, red: 0, green: 100, blue: 74)
        case .warning: Look(basic: 3, indexed: 94, red: 135, green: 90, blue: 0)
        case .danger: Look(basic: 1, indexed: 130, red: 170, green: 62, blue: 0)
        case .muted: Look(basic: 8, indexed: 240, red: 88, green: 88, blue: 88)
        case .second: Look(basic: 5, indexed: 89, red: 130, green: 40, blue: 95)
        }
    }

    /// At least 7 to 1 on black (WCAG 2.1, 1.4.6).
    private static func highContrast(_ tone: Tone) -> Look {
        switch tone {
        case .accent: Look(basic: 14, indexed: 117, red: 135, green: 215, blue: 255)
        case .good: Look(basic: 10, indexed: 85, red: 95, green: 255, blue: 175)
        case .warning: Look(basic: 11, indexed: 220, red: 255, green: 215, blue: 0)
        case .danger: Look(basic: 9, indexed: 209, red: 255, green: 135, blue: 95)
        case .muted: Look(basic: 7, indexed: 252, red: 208, green: 208, blue: 208)
        case .second: Look(basic: 13, indexed: 218, red: 255, green: 175, blue: 215)
        }
    }
}
