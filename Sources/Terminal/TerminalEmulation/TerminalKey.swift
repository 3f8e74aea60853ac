/// A key press for the program in the terminal.
package struct TerminalKey: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        /// A key that produces a character.
        case character(Character)
        case enter, tab, backspace, escape, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 to F12.
        case function(Int)
    }

    /// The modifier keys held.
    package struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bit mask.
        package let rawValue: Int
        /// Creates a set from a bit mask.
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let shift = Self(rawValue: 1)
        package static let alt = Self(rawValue: 2)
        package static let control = Self(rawValue: 4)
    }

    package var key: Key
    /// The modifier keys held.
    package var modifiers: Modifiers

    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// The bytes of keys whose encoding does not depend on the terminal's modes; `nil` for others.
    ///
    /// The encoding is that of xterm. libvterm sends some of these keys, such as Ctrl-J and Shift-Enter, as `CSI ... u`, which
    /// a shell that has not enabled it does not understand.
    var fixedBytes: [UInt8]? {
        let alt: [UInt8] = modifiers.contains(.alt) ? [0x1B] : []
        switch key {
        case .character(let character): return alt + characterBytes(character)
        case .enter: return alt + [0x0D]
        case .escape: return alt + [0x1B]
        case .tab: return modifiers.contains(.shift) ? [0x1B, 0x5B, 0x5A] : alt + [0x09]
        case .backspace: return alt + [modifiers.contains(.control) ? 0x08 : 0x7F]
        default: return nil
        }
    }

    private func characterBytes(_ character: Character) -> [UInt8] {
        guard modifiers.contains(.control), let byte = character.asciiValue else { return Array(character.utf8) }
        switch byte {
        case 0x40...0x5F, 0x61...0x7A: return [byte & 0x1F]
        case 0x20, 0x32: return [0x00]
        case 0x33...0x37: return [byte - 0x33 + 0x1B]
        case 0x2F: return [0x1F]
        case 0x38, 0x3F: return [0x7F]
        default: return [byte]
        }
    }
}

/// A mouse event for the program in the terminal.
package struct TerminalMouse: Hashable, Sendable {
    package enum Action: Hashable, Sendable { case press, release, move, wheelUp, wheelDown }

    package var action: Action
    /// The button: 0 left, 1 middle, 2 right.
    package var button: Int
    package var row: Int
    package var column: Int
    /// The modifier keys held.
    package var modifiers: TerminalKey.Modifiers

    package init(_ action: Action, button: Int = 0, row: Int, column: Int, modifiers: TerminalKey.Modifiers = []) {
        self.action = action
        self.button = button
        self.row = row
        self.column = column
        self.modifiers = modifiers
    }
}
