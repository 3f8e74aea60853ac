/// Extracts the text from a program's terminal output, without colours and other sequences, for logs and for output
/// shown as lines. Bytes may arrive in any split.
package struct PlainTextFilter: Sendable {
    private enum State {
        case ground
        case escape
        case control
        case string(sawEscape: Bool)
    }

    private var state = State.ground
    private var pending: [UInt8] = []

    package init() {}

    /// The text completed by these bytes: line feeds, tabs, carriage returns and backspaces are kept, other control
    /// characters are removed. Invalid UTF-8 becomes U+FFFD.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> String {
        for byte in bytes { feed(byte) }
        let end = Self.completeEnd(pending)
        defer { pending.removeFirst(end) }
        return String(decoding: pending[..<end], as: UTF8.self)
    }

    private mutating func feed(_ byte: UInt8) {
        switch state {
        case .ground:
            switch byte {
            case 0x1B: state = .escape
            case 0x08, 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x80...0xFF: pending.append(byte)
            default: break
            }
        case .escape:
            switch byte {
            case 0x5B: state = .control
            case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string(sawEscape: false)
            case 0x20...0x2F, 0x1B: break
            default: state = .ground
            }
        case .control:
            if byte == 0x1B { state = .escape } else if !(0x20...0x3F).contains(byte) { state = .ground }
        case .string(let sawEscape):
            if byte == 0x07 || byte == 0x18 || (sawEscape && byte == 0x5C) {
                state = .ground
            } else {
                state = .string(sawEscape: byte == 0x1B)
            }
        }
    }

    /// The end of the last complete character; an incomplete one is kept for the next bytes.
    private static func completeEnd(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where bytes.count >= back {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? bytes.count - back : bytes.count
        }
        return bytes.count
    }
}
