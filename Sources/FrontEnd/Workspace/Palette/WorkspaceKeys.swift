internal import TextScreen

extension InputEvent {
    /// Alt-1 to Alt-0 as F1 to F10, as in Midnight Commander: some terminals take function keys for themselves.
    ///
    /// - Parameter keepsDigits: whether only keys that stop the vehicle or leave it are meant: a shell keeps the others.
    func asFunctionKey(keepsDigits: Bool) -> InputEvent {
        guard case .key(let key) = self, key.modifiers == .alt, case .character(let character) = key.key,
            let digit = character.wholeNumberValue, character.isASCII, !keepsDigits || (7...9).contains(digit)
        else { return self }
        return .key(KeyEvent(.function(digit == 0 ? 10 : digit), phase: key.phase))
    }
}

extension KeyEvent {
    /// Alt-: opens the palette over a shell too. Terminals report it as such, or as the key with Shift.
    var isPaletteKey: Bool {
        switch (key, modifiers) {
        case (.character(":"), .alt), (.character(":"), [.alt, .shift]), (.character(";"), [.alt, .shift]): true
        default: false
        }
    }
}
