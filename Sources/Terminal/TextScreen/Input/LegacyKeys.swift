/// Key encodings since the VT100: one byte, or ESC O and one byte, or `CSI number ~`.
enum LegacyKeys {
    static func key(_ byte: UInt8, _ modifiers: KeyEvent.Modifiers) -> KeyEvent {
        switch byte {
        case 0x0D: KeyEvent(.enter, modifiers)
        case 0x09: KeyEvent(.tab, modifiers)
        case 0x7F: KeyEvent(.backspace, modifiers)
        // Some terminals send Ctrl-H for Backspace.
        case 0x08: KeyEvent(.backspace, modifiers)
        case 0x00: KeyEvent(.character(" "), modifiers.union(.control))
        case 0x01...0x1A:
            KeyEvent(.character(Character(Unicode.Scalar(byte + 0x60))), modifiers.union(.control))
        case 0x1B...0x1F:
            KeyEvent(.character(Character(Unicode.Scalar(byte + 0x40))), modifiers.union(.control))
        default:
            KeyEvent(
                .character(Character(Unicode.Scalar(byte))), modifiers,
                text: modifiers.isEmpty ? String(Unicode.Scalar(byte)) : nil)
        }
    }

    static func singleShift(_ byte: UInt8) -> KeyEvent.Key? {
        switch byte {
        case 0x50...0x53: .function(Int(byte) - 0x50 + 1)
        case 0x4D: .enter
        default: cursor(byte)
        }
    }

    static func cursor(_ final: UInt8) -> KeyEvent.Key? {
        switch final {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        default: nil
        }
    }

    /// The keys encoded as `CSI number ~`.
    static func numbered(_ number: Int) -> KeyEvent.Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28...29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }
}
