/// Text in XML.
enum XMLText {
    /// Escapes the characters with a meaning in XML; those that XML 1.0 cannot hold become U+FFFD.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "\"": out += "&quot;"
            case "\r": out += "&#13;"
            case "\t", "\n": out.unicodeScalars.append(scalar)
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                out.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
            }
        }
        return out
    }

    /// The text without surrounding blanks.
    static func trimmed(_ text: some StringProtocol) -> String {
        let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let start = text.drop(while: blanks)
        guard let last = start.lastIndex(where: { !blanks($0) }) else { return "" }
        return String(start[...last])
    }
}
