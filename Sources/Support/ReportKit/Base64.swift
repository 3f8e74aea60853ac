/// Base64 (RFC 4648, section 4).
public enum Base64 {
    /// The digits, by their value.
    package static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

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
}
