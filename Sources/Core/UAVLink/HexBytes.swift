/// Bytes in hexadecimal: two digits each, with or without spaces between them.
public enum HexBytes {
    /// Reads bytes; `nil` for anything else, and for none.
    public static func read(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                guard high == nil else { return nil }
                continue
            }
            guard let digit = digit(byte) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil && !bytes.isEmpty ? bytes : nil
    }

    /// Bytes as they are written: `3c 31 3e`.
    public static func text(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: " ")
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
