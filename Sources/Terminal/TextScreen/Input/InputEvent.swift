/// An input event from the terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed, repeats or was released.
    case key(KeyEvent)
    /// A mouse event.
    case mouse(MouseEvent)
    /// Pasted text: untrusted.
    case paste(String)
    /// The terminal's window gained or lost focus.
    case focus(Bool)
    /// The terminal's size changed.
    case resize(ScreenSize)
    /// The terminal reported support of the kitty keyboard protocol, with the flags in effect.
    case kittyKeyboard(flags: Int)
    /// The terminal reported its primary device attributes; answers to earlier queries have arrived before.
    case deviceAttributes
}

/// An event as it was read from the terminal.
public struct TerminalInput: Hashable, Sendable {
    /// The event.
    public var event: InputEvent
    /// The number of the newest frame that was written when the event was read: the user had not seen a later one.
    public var frame: Int
    /// How much was dropped that was typed before it and not yet handled: see ``InputQueue``.
    public var dropped = 0
    /// When the bytes were read of which it was made, nanoseconds of its reader's clock; `nil` for one that was made otherwise.
    public var readAt: Int64?

    /// An event, and the newest frame that was written before it was read.
    public init(_ event: InputEvent, frame: Int, readAt: Int64? = nil) {
        self.event = event
        self.frame = frame
        self.readAt = readAt
    }
}

/// A key event as reported by the terminal.
public struct KeyEvent: Hashable, Sendable {
    /// The key.
    public enum Key: Hashable, Sendable {
        /// A key that produces a character: the unshifted one when the terminal reports it.
        case character(Character)
        case enter, tab, backspace, escape, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// A function key, from F1.
        case function(Int)
        /// A modifier key (Shift, Control...), or an unknown one, by its code.
        case other(Int)
    }

    /// The phase of a key stroke.
    public enum Phase: Hashable, Sendable {
        /// The key was pressed.
        case press
        /// The key is held and repeats.
        case repeating
        /// The key was released; reported only by the kitty keyboard protocol.
        case release
    }

    /// The modifier keys held.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bit mask, as in the kitty keyboard protocol.
        public let rawValue: Int
        /// Creates a set from a bit mask.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Shift.
        public static let shift = Self(rawValue: 1)
        /// Alt.
        public static let alt = Self(rawValue: 2)
        /// Control.
        public static let control = Self(rawValue: 4)
        /// Super, the logo key.
        public static let superKey = Self(rawValue: 8)
    }

    /// The key.
    public var key: Key
    /// The modifier keys held.
    public var modifiers: Modifiers
    /// The phase of a key stroke.
    public var phase: Phase
    /// The text that the key produces, if any.
    public var text: String?

    /// Creates a key event.
    public init(_ key: Key, _ modifiers: Modifiers = [], phase: Phase = .press, text: String? = nil) {
        self.key = key
        self.modifiers = modifiers
        self.phase = phase
        self.text = text
    }

    /// A key that produces a character, typed without modifiers or with Shift.
    public static func typed(_ character: Character) -> KeyEvent {
        KeyEvent(.character(character), text: String(character))
    }

    /// Whether this is a press or repetition of the key with exactly these modifiers.
    public func isPress(of key: Key, _ modifiers: Modifiers = []) -> Bool {
        phase != .release && self.key == key && self.modifiers == modifiers
    }
}

/// A mouse event.
public struct MouseEvent: Hashable, Sendable {
    /// The action.
    public enum Action: Hashable, Sendable {
        case press, release, drag, move, wheelUp, wheelDown
    }

    /// The action.
    public var action: Action
    /// The button: 0 left, 1 middle, 2 right.
    public var button: Int
    /// The cell, from 0.
    public var row: Int
    /// The cell, from 0.
    public var column: Int
    /// The modifier keys held.
    public var modifiers: KeyEvent.Modifiers

    /// A mouse event.
    public init(_ action: Action, button: Int = 0, row: Int, column: Int, modifiers: KeyEvent.Modifiers = []) {
        self.action = action
        self.button = button
        self.row = row
        self.column = column
        self.modifiers = modifiers
    }
}
