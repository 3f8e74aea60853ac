internal import TextScreen

extension KeyEvent {
    /// Alt-: opens the palette over a shell too. Terminals report it as such, or as the key with Shift.
    var isPaletteKey: Bool {
        switch (key, modifiers) {
        case (.character(":"), .alt), (.character(":"), [.alt, .shift]), (.character(";"), [.alt, .shift]): true
        default: false
        }
    }
}
