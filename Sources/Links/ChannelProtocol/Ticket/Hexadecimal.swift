/// Lower-case hexadecimal digits.
enum Hexadecimal {
    private static let digits: [Character] = Array("0123456789abcdef")

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    /// 16 digits, the most significant first.
    static func text(_ value: UInt64) -> String {
        text((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
    }

    /// Exactly `count` bytes, or `nil`.
    package static func bytes(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            buffer.initialize(repeating: 0)
            isWhole = decode(text, into: buffer)
            written = count
        }
        return isWhole ? bytes : nil
    }

    /// Writes the bytes, and no copy of them; `false` when the text has not exactly as many as the buffer.
    static func decode(_ text: some StringProtocol, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard text.utf8.count == 2 * buffer.count else { return false }
        for (index, byte) in text.utf8.enumerated() {
            let nibble: UInt8
            switch byte {
            case 0x30...0x39: nibble = byte - 0x30
            case 0x61...0x66: nibble = byte - 0x61 + 10
            case 0x41...0x46: nibble = byte - 0x41 + 10
            default: return false
            }
            buffer[index / 2] = index.isMultiple(of: 2) ? nibble << 4 : buffer[index / 2] | nibble
        }
        return true
    }
}
