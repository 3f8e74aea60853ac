/// Something that came from the terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key went down, repeats or came up.
    case key(KeyEvent)
    /// The mouse did something.
    case mouse(MouseEvent)
    /// Text that was pasted: untrusted.
    case paste(String)
    /// The terminal's window got the focus, or lost it.
    case focus(Bool)
    /// The terminal has another size.
    case resize(ScreenSize)
    /// The terminal answered that it speaks the kitty keyboard protocol, with these flags on.
    case kittyKeyboard(flags: Int)
    /// The terminal told its kind (primary device attributes); it does so after all it was asked before.
    case deviceAttributes
}

/// A key, as the terminal tells it.
public struct KeyEvent: Hashable, Sendable {
    /// Which key.
    public enum Key: Hashable, Sendable {
        /// One that gives a character: the one without Shift where the terminal tells it apart.
        case character(Character)
        case enter, tab, backspace, escape, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 and on.
        case function(Int)
        /// A key that only holds others (Shift, Control...), or one unknown here.
        case other(Int)
    }

    /// What happens to it.
    public enum Phase: Hashable, Sendable {
        /// It went down.
        case press
        /// It is held and repeats.
        case repeating
        /// It came up; only terminals with the kitty keyboard protocol tell.
        case release
    }

    /// Keys held with it.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits of the kitty keyboard protocol.
        public let rawValue: Int
        /// Of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Shift.
        public static let shift = Self(rawValue: 1)
        /// Alt.
        public static let alt = Self(rawValue: 2)
        /// Control.
        public static let control = Self(rawValue: 4)
        /// The key with a logo on it.
        public static let superKey = Self(rawValue: 8)
    }

    /// Which key.
    public var key: Key
    /// Keys held with it.
    public var modifiers: Modifiers
    /// What happens to it.
    public var phase: Phase
    /// The text it gives, when it gives any.
    public var text: String?

    /// A key.
    public init(_ key: Key, _ modifiers: Modifiers = [], phase: Phase = .press, text: String? = nil) {
        self.key = key
        self.modifiers = modifiers
        self.phase = phase
        self.text = text
    }

    /// A key that gives a character, as it is typed without a modifier or with Shift.
    public static func typed(_ character: Character) -> KeyEvent {
        KeyEvent(.character(character), text: String(character))
    }

    /// Whether a press or a repetition of this key with just these modifiers is meant.
    public func isPress(of key: Key, _ modifiers: Modifiers = []) -> Bool {
        phase != .release && self.key == key && self.modifiers == modifiers
    }
}

/// What the mouse did.
public struct MouseEvent: Hashable, Sendable {
    /// What it did.
    public enum Action: Hashable, Sendable {
        case press, release, drag, move, wheelUp, wheelDown
    }

    /// What it did.
    public var action: Action
    /// The button, 0 the left one, 1 the middle one, 2 the right one.
    public var button: Int
    /// The cell, from 0.
    public var row: Int
    /// The cell, from 0.
    public var column: Int
    /// Keys held with it.
    public var modifiers: KeyEvent.Modifiers

    /// What the mouse did.
    public init(_ action: Action, button: Int = 0, row: Int, column: Int, modifiers: KeyEvent.Modifiers = []) {
        self.action = action
        self.button = button
        self.row = row
        self.column = column
        self.modifiers = modifiers
    }
}
