/// Bytes as printed by Python 3: `b'text\xc3\xbc'`.
public enum PythonBytes {
    /// The decoded text; a text in another form (as of Python 2) is returned unchanged up to its newline.
    public static func text(_ printed: Substring) -> String {
        let bytes = Array(printed.utf8)
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "b"),
            bytes[1] == UInt8(ascii: "'") || bytes[1] == UInt8(ascii: "\"")
        else { return printed.prefix { !$0.isNewline }.description }
        let quote = bytes[1]
        var out: [UInt8] = []
        var place = 2
        // A bytes literal contains no newline: Python escapes it.
        while place < bytes.count, bytes[place] != quote, bytes[place] != 0x0A {
            guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count else {
                out.append(bytes[place])
                place += 1
                continue
            }
            let escape = bytes[place + 1]
            place += 2
            switch escape {
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "x"):
                guard place + 1 < bytes.count,
                    let byte = UInt8(String(decoding: bytes[place...place + 1], as: UTF8.self), radix: 16)
                else { continue }
                out.append(byte)
                place += 2
            default: out.append(escape)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
