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
    /// Whether it opens the palette on every screen: Shift-F2, and Alt-: as terminals report it.
    ///
    /// - Parameter isShell: whether keys belong to a shell. There Alt-: counts only if it is reported with Shift, as one key: otherwise
    ///   it is the same two bytes as Esc and `:`, which are meant for an editor.
    func opensPalette(isShell: Bool) -> Bool {
        switch (key, modifiers) {
        case (.function(2), .shift), (.character(":"), [.alt, .shift]), (.character(";"), [.alt, .shift]): true
        case (.character(":"), .alt): !isShell
        default: false
        }
    }
}
