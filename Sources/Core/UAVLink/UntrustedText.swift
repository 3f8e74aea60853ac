extension StringProtocol {
    /// The text with control characters replaced by visible ones, for untrusted text from a vehicle, a host or a file.
    ///
    /// C0 controls become control pictures (U+2400 and up), DEL becomes U+2421; C1 controls and bidirectional controls, which
    /// can change how a line reads, become `\u{...}`. Line feeds and tabs stay.
    public var sanitized: String { escapingControls(keepingLines: true) }

    /// Like ``sanitized``, but on one line: line feeds and tabs become spaces.
    public var sanitizedLine: String { escapingControls(keepingLines: false) }

    private func escapingControls(keepingLines: Bool) -> String {
        // Nearly every text has nothing to replace.
        var text = String(self)
        if text.withUTF8({ $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }) { return text }
        var out = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A:
                if keepingLines { out.append(scalar) } else { out.append(contentsOf: " ".unicodeScalars) }
            case 0x00...0x1F:
                out.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F:
                out.append("\u{2421}")
            case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                out.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default:
                out.append(scalar)
            }
        }
        return String(out)
    }
}
