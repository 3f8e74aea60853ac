/// Base64 (RFC 4648, section 4), as in keys, fingerprints, `.hdr` files and XML-RPC.
public enum Base64 {
    /// The digits, by their value.
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text for these bytes.
    ///
    /// - Parameter padded: whether the last group is filled with `=`.
    public static func encode(_ bytes: [UInt8], padded: Bool = true) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let group = bytes[index..<min(index + 3, bytes.count)]
            var value: UInt32 = 0
            for byte in group { value = value << 8 | UInt32(byte) }
            value <<= UInt32(8 * (3 - group.count))
            for position in 0...group.count { text.append(alphabet[Int(value >> UInt32(18 - 6 * position)) & 63]) }
            if padded { text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count) }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }()

    /// The bytes of a text; `nil` when it is not valid base64. Padding may be missing.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
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
