/// Lower-case hexadecimal digits.
enum Hexadecimal {
    /// The digit of a number below 16, in ASCII.
    static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10 }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    /// 16 digits, the most significant first.
    static func text(_ value: UInt64) -> String {
        text((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
    }

    /// Exactly `count` bytes of digits in ASCII, or `nil`.
    static func bytes(_ text: some Collection<UInt8>, count: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            buffer.initialize(repeating: 0)
            isWhole = decode(text, into: buffer)
            written = count
        }
        return isWhole ? bytes : nil
    }

    /// Writes the bytes, and no copy of them; `false` when the text has not exactly as many as the buffer.
    static func decode(_ text: some Collection<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard text.count == 2 * buffer.count else { return false }
        for (index, byte) in text.enumerated() {
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
