/// A parser of terminal input; bytes may arrive in any split.
///
/// It supports the ECMA-48 sequences of xterm and compatible terminals, the kitty keyboard protocol, SGR mouse reports, focus
/// reports and bracketed paste. Unknown sequences are dropped. Every buffer is bounded.
///
/// A lone ESC is the Escape key, which only a timeout can tell from a sequence: the reader calls ``flush()`` when
/// nothing has arrived for ``escapeTimeout``.
public struct InputParser: Sendable {
    /// How long a lone ESC waits for the rest of a sequence. Terminals send a sequence in one write, so the value matters only
    /// where a network splits it; vim and tmux wait 50 to 500 ms, and users notice delays from 100 ms.
    public static let escapeTimeout: Duration = .milliseconds(50)
    /// The longest sequence, bytes; the longest known one has under 40.
    static let longestSequence = 256
    /// The longest paste, bytes; longer ones are truncated.
    public static let longestPaste = 1 << 20

    private enum State {
        case ground
        case escape
        case control([UInt8])
        case singleShift
        /// A control string of the terminal (OSC, DCS...), skipped to its end.
        case string(sawEscape: Bool)
        case paste
    }

    private var state = State.ground
    /// The pasted bytes so far; outside of the state, where every append would copy them.
    private var pasted: [UInt8] = []
    private var partialCharacter: [UInt8] = []

    /// Creates a parser.
    public init() {}

    /// Whether an escape sequence is incomplete.
    public var isWaiting: Bool {
        switch state {
        case .escape, .control, .singleShift: true
        default: false
        }
    }

    /// The events completed by these bytes.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        for byte in bytes { feed(byte, into: &events) }
        return events
    }

    /// Handles the timeout: a lone ESC becomes the Escape key, and an incomplete sequence is dropped.
    public mutating func flush() -> [InputEvent] {
        defer { if isWaiting { state = .ground } }
        switch state {
        case .escape: return [.key(KeyEvent(.escape))]
        // ESC followed by [ or O alone is Alt with that key.
        case .control(let bytes) where bytes.isEmpty: return [.key(KeyEvent(.character("["), .alt))]
        case .singleShift: return [.key(KeyEvent(.character("O"), .alt))]
        default: return []
        }
    }

    private mutating func feed(_ byte: UInt8, into events: inout [InputEvent]) {
        switch state {
        case .ground: ground(byte, [], into: &events)
        case .escape: escape(byte, into: &events)
        case .control(let bytes): control(byte, bytes, into: &events)
        case .singleShift:
            state = .ground
            if let key = LegacyKeys.singleShift(byte) { events.append(.key(KeyEvent(key))) }
        case .string(let sawEscape):
            if byte == 0x07 || byte == 0x18 || (sawEscape && byte == 0x5C) {
                state = .ground
            } else {
                state = .string(sawEscape: byte == 0x1B)
            }
        case .paste: paste(byte, into: &events)
        }
    }

    private mutating func escape(_ byte: UInt8, into events: inout [InputEvent]) {
        switch byte {
        case 0x5B: state = .control([])
        case 0x4F: state = .singleShift
        case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string(sawEscape: false)
        case 0x1B: events.append(.key(KeyEvent(.escape)))
        default:
            state = .ground
            ground(byte, .alt, into: &events)
        }
    }

    private mutating func ground(
        _ byte: UInt8, _ modifiers: KeyEvent.Modifiers, into events: inout [InputEvent]
    ) {
        if !partialCharacter.isEmpty || byte >= 0x80 { return character(byte, into: &events) }
        if byte == 0x1B {
            state = .escape
        } else {
            events.append(.key(LegacyKeys.key(byte, modifiers)))
        }
    }

    private mutating func character(_ byte: UInt8, into events: inout [InputEvent]) {
        if byte & 0xC0 != 0x80 { partialCharacter = [] }
        guard byte >= 0x80 else { return ground(byte, [], into: &events) }
        partialCharacter.append(byte)
        let expected =
            switch partialCharacter[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard partialCharacter.count >= expected else { return }
        defer { partialCharacter = [] }
        guard expected > 1, let text = String(validating: partialCharacter, as: UTF8.self), let first = text.first
        else {
            return
        }
        events.append(.key(.typed(first)))
    }

    private mutating func control(_ byte: UInt8, _ bytes: [UInt8], into events: inout [InputEvent]) {
        switch byte {
        case 0x20...0x3F:
            // Longer than any known sequence: parsed to its end and dropped.
            state = .control(bytes.count < Self.longestSequence ? bytes + [byte] : bytes)
        case 0x40...0x7E:
            state = .ground
            // The Linux console sends F1 to F5 as ESC [ [ A to E.
            if bytes.isEmpty, byte == 0x5B { return state = .control([0x5B]) }
            guard bytes.count < Self.longestSequence else { return }
            if bytes == Array("200".utf8), byte == 0x7E { return state = .paste }
            if let event = ControlSequence(parameters: bytes, final: byte).event { events.append(event) }
        case 0x1B: state = .escape
        default: state = .ground
        }
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func paste(_ byte: UInt8, into events: inout [InputEvent]) {
        pasted.append(byte)
        if byte == Self.pasteEnd.last, pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            pasted.removeLast(Self.pasteEnd.count)
            events.append(.paste(String(decoding: pasted.prefix(Self.longestPaste), as: UTF8.self)))
            pasted = []
            state = .ground
        } else if pasted.count > 2 * Self.longestPaste {
            // Beyond the limit only the end marker is searched for.
            pasted.removeSubrange(Self.longestPaste..<(pasted.count - Self.pasteEnd.count))
        }
    }
}
