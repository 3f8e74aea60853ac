extension String {
    /// Text of a peer as one line of an error: control characters and marks of writing direction are escaped, and a long
    /// text is truncated to 1000 characters.
    package var sanitizedErrorLine: String {
        let longest = 1000
        var out = String.UnicodeScalarView()
        for (index, scalar) in unicodeScalars.enumerated() {
            guard index < longest else {
                out.append("\u{2026}")
                break
            }
            switch scalar.value {
            case 0x09, 0x0A: out.append(" ")
            case 0x00...0x1F: out.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: out.append("\u{2421}")
            case 0x80...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                out.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
