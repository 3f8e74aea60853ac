internal import TerminalEmulation
internal import TextScreen

/// Translates input events of the user's terminal for the emulated one.
enum KeyTranslation {
    /// `nil` for a key without an encoding: Shift alone, media keys.
    static func key(_ event: KeyEvent) -> TerminalKey? {
        let modifiers = modifiers(event.modifiers)
        if let text = event.text?.first, modifiers.isSubset(of: .shift), !event.modifiers.contains(.superKey) {
            return TerminalKey(.character(text))
        }
        let key: TerminalKey.Key? =
            switch event.key {
            case .character(let character):
                // With Alt the terminal reports the key, not the character that it gives with Shift.
                .character(modifiers.contains([.alt, .shift]) ? character.uppercased().first ?? character : character)
            case .enter: .enter
            case .tab: .tab
            case .backspace: .backspace
            case .escape: .escape
            case .delete: .delete
            case .insert: .insert
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .home: .home
            case .end: .end
            case .pageUp: .pageUp
            case .pageDown: .pageDown
            case .function(let number): (1...12).contains(number) ? .function(number) : nil
            case .other: nil
            }
        return key.map { TerminalKey($0, modifiers) }
    }

    static func mouse(_ event: MouseEvent, in area: ScreenArea) -> TerminalMouse {
        let action: TerminalMouse.Action =
            switch event.action {
            case .press: .press
            case .release: .release
            case .drag, .move: .move
            case .wheelUp: .wheelUp
            case .wheelDown: .wheelDown
            }
        return TerminalMouse(
            action, button: event.button, row: event.row - area.row, column: event.column - area.column,
            modifiers: modifiers(event.modifiers))
    }

    private static func modifiers(_ modifiers: KeyEvent.Modifiers) -> TerminalKey.Modifiers {
        // Shift, Alt and Control have the same bits in both.
        TerminalKey.Modifiers(rawValue: modifiers.rawValue & 7)
    }
}
