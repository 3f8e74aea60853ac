internal import ReportKit

/// Base64 as in keys, fingerprints and hashed host names.
extension Base64 {
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }()

    /// Decodes the text; `nil` when it is not valid base64. Padding may be missing.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var value: UInt32 = 0
        var bits: UInt32 = 0
        var characters = 0
        var padding = 0
        for character in text {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            let digit = values[Int(character)]
            guard digit != 255, padding == 0 else { return nil }
            characters += 1
            value = (value << 6 | UInt32(digit)) & 0xffff
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> bits))
            }
        }
        // A single left-over digit is not a byte; unused bits must be zero; padding must complete a group of four.
        guard characters % 4 != 1, value & ((1 << bits) - 1) == 0 else { return nil }
        guard padding == 0 || (characters + padding) % 4 == 0 && padding < 3 else { return nil }
        return bytes
    }
}
