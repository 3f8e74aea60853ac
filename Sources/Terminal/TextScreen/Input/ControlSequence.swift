/// A complete control sequence: `CSI`, parameters, final byte.
///
/// Keys with modifiers have forms such as `CSI 1 ; modifiers : phase A` in xterm and in the kitty keyboard protocol
/// ("Comprehensive keyboard handling in terminals"), which adds `CSI code : shifted : base ; modifiers : phase ; text u`.
struct ControlSequence {
    let parameters: [UInt8]
    let final: UInt8

    var event: InputEvent? {
        switch (parameters.first, final) {
        case (0x3C, 0x4D), (0x3C, 0x6D): return mouse
        case (0x3F, 0x75): return kittyFlags.map { .kittyKeyboard(flags: $0) }
        case (0x3F, 0x63): return .deviceAttributes
        case (0x5B, 0x41...0x45): return .key(KeyEvent(.function(Int(final) - 0x40)))
        case (0x3C?, _), (0x3D?, _), (0x3E?, _), (0x3F?, _): return nil
        case (nil, 0x49): return .focus(true)
        case (nil, 0x4F): return .focus(false)
        case (nil, 0x5A): return .key(KeyEvent(.tab, .shift))
        default: return key.map { .key($0) }
        }
    }

    /// The parameters, separated by semicolons, and their parts, separated by colons; `nil` for an empty part.
    private func numbers(_ bytes: some Sequence<UInt8>) -> [[Int?]] {
        Array(bytes).split(separator: 0x3B, omittingEmptySubsequences: false).prefix(8).map { group in
            group.split(separator: 0x3A, omittingEmptySubsequences: false).prefix(32).map { digits in
                // Valid numbers have at most seven digits.
                digits.count <= 7 ? Int(String(decoding: digits, as: UTF8.self)) : nil
            }
        }
    }

    private var kittyFlags: Int? { numbers(parameters.dropFirst()).first?.first.flatMap { $0 } }

    private var key: KeyEvent? {
        let groups = numbers(parameters)
        let first = groups.first?.first.flatMap { $0 }
        let key: KeyEvent.Key? =
            switch final {
            case 0x75: first.flatMap(KittyKeys.key)
            case 0x7E: first.flatMap(LegacyKeys.numbered)
            case 0x50...0x53 where first ?? 1 == 1: .function(Int(final) - 0x50 + 1)
            default: LegacyKeys.cursor(final)
            }
        guard let key else { return nil }
        let state = groups.count > 1 ? groups[1] : []
        // The bits of the lock keys are not modifiers held with the key.
        let modifiers = KeyEvent.Modifiers(rawValue: max(0, (state.first.flatMap { $0 } ?? 1) - 1) & 0xF)
        let phase: KeyEvent.Phase =
            switch state.count > 1 ? state[1] : nil {
            case 2: .repeating
            case 3: .release
            default: .press
            }
        var event = KeyEvent(key, modifiers, phase: phase)
        event.text = text(groups, key, modifiers, phase)
        return event
    }

    private func text(
        _ groups: [[Int?]], _ key: KeyEvent.Key, _ modifiers: KeyEvent.Modifiers, _ phase: KeyEvent.Phase
    ) -> String? {
        guard final == 0x75, phase != .release else { return nil }
        if groups.count > 2 {
            let scalars = groups[2].compactMap { $0 }.compactMap { UInt32(exactly: $0).flatMap(Unicode.Scalar.init) }
            let shown = scalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
            if !shown.isEmpty { return String(String.UnicodeScalarView(shown)) }
        }
        guard case .character(let character) = key, modifiers.subtracting(.shift).isEmpty else { return nil }
        guard modifiers.contains(.shift) else { return String(character) }
        // The shifted character, when reported: the second part of the first parameter.
        let shifted = groups.first.flatMap { $0.count > 1 ? $0[1] : nil }
        if let scalar = shifted.flatMap({ UInt32(exactly: $0) }).flatMap(Unicode.Scalar.init), scalar.value >= 0x20 {
            return String(scalar)
        }
        return character.uppercased()
    }

    private var mouse: InputEvent? {
        let fields = numbers(parameters.dropFirst()).map { $0.first.flatMap { $0 } }
        guard fields.count == 3, let code = fields[0], let column = fields[1], let row = fields[2], row > 0, column > 0
        else { return nil }
        var modifiers: KeyEvent.Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let button = code & 3
        let action: MouseEvent.Action
        switch code {
        case _ where code & 64 != 0: action = button == 0 ? .wheelUp : .wheelDown
        case _ where code & 32 != 0: action = button == 3 ? .move : .drag
        default: action = final == 0x4D ? .press : .release
        }
        return .mouse(
            MouseEvent(action, button: button, row: row - 1, column: column - 1, modifiers: modifiers))
    }
}

/// Key codes of the kitty keyboard protocol: Unicode for keys that produce text, a private use area for others.
enum KittyKeys {
    static func key(_ code: Int) -> KeyEvent.Key? {
        switch code {
        case 13, 57414: .enter
        case 9: .tab
        case 27: .escape
        case 127: .backspace
        case 57376...57398: .function(code - 57376 + 13)
        case 57399...57408: .character(Character(Unicode.Scalar(UInt8(0x30 + code - 57399))))
        case 57409: .character(".")
        case 57410: .character("/")
        case 57411: .character("*")
        case 57412: .character("-")
        case 57413: .character("+")
        case 57415: .character("=")
        case 57417: .left
        case 57418: .right
        case 57419: .up
        case 57420: .down
        case 57421: .pageUp
        case 57422: .pageDown
        case 57423: .home
        case 57424: .end
        case 57425: .insert
        case 57426: .delete
        // Lock, modifier and media keys: a private use area of Unicode.
        case 0xE000...0xF8FF: .other(code)
        case 0..<0x20: nil
        default:
            UInt32(exactly: code).flatMap(Unicode.Scalar.init).map { .character(Character($0)) }
        }
    }
}
