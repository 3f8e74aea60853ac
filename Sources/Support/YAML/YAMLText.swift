/// Writes YAML on one line, in a form that every YAML 1.1 or 1.2 parser reads back as the same value.
package indirect enum YAMLText: Hashable, Sendable {
    /// Text; always quoted, so that it cannot be parsed as anything else.
    case text(String)
    /// A number; one that is not finite becomes `.nan`, `.inf` or `-.inf`.
    case number(Double)
    /// A whole number.
    case integer(Int)
    /// `true` or `false`.
    case bool(Bool)
    /// A list.
    case list([YAMLText])
    /// Keys and values in this order.
    case record([Field])

    /// A key and its value.
    package struct Field: Hashable, Sendable {
        package var key: String
        package var value: YAMLText

        package init(_ key: String, _ value: YAMLText) {
            self.key = key
            self.value = value
        }
    }

    /// The YAML in flow style: `{goal: [1.0, 2.0, 3.0, 0.0]}`, on one line of ASCII.
    package var flow: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): Self.written(number)
        case .integer(let integer): String(integer)
        case .bool(let bool): bool ? "true" : "false"
        case .list(let elements): "[" + elements.map(\.flow).joined(separator: ", ") + "]"
        case .record(let fields):
            "{" + fields.map { Self.key($0.key) + ": " + $0.value.flow }.joined(separator: ", ") + "}"
        }
    }

    private static let words: Set<String> = [
        "true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf",
    ]

    private static func key(_ key: String) -> String {
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) }
        let isPlain =
            key.utf8.first.map(isLetter) == true
            && key.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
            && !words.contains(key.lowercased())
        guard !isPlain else { return key }
        let text = quoted(key)
        // Parsers look only 1024 characters ahead for the colon of a key, unless it is marked by '?'.
        return text.count > 1000 ? "? " + text + " " : text
    }

    /// Double-quoted text; everything but printable ASCII is escaped.
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x0A: out += "\\n"
            case 0x20...0x7E: out.unicodeScalars.append(scalar)
            case ...0xFF: out += "\\x" + hexadecimal(scalar.value, digits: 2)
            case ...0xFFFF: out += "\\u" + hexadecimal(scalar.value, digits: 4)
            default: out += "\\U" + hexadecimal(scalar.value, digits: 8)
            }
        }
        return out + "\""
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The shortest form that parses to the same number. Python's YAML parser takes `1e+20` for text: a point and a
    /// signed exponent make it a number.
    private static func written(_ number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? ".nan" : number < 0 ? "-.inf" : ".inf" }
        let text = number.description
        guard let exponent = text.firstIndex(of: "e"), !text.contains(".") else { return text }
        return text[..<exponent] + ".0" + text[exponent...]
    }
}
