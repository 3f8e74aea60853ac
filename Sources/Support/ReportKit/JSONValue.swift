/// A JSON value to write; keys keep the order in which they were given, so that reports are reproducible.
public indirect enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number in the shortest form that parses to the same value; one that is not finite becomes `null`.
    case number(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Keys and values in this order.
    case object([Member])
    /// JSON that is written unchanged; the caller is responsible for it.
    case raw(String)

    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// A number; `nil` becomes `null`.
    public init(_ number: Double?) { self = number.map(Self.number) ?? .null }

    /// A whole number; `nil` becomes `null`.
    public init(_ integer: (some BinaryInteger)?) {
        guard let integer else {
            self = .null
            return
        }
        self = Int64(exactly: integer).map(Self.integer) ?? .raw(integer.description)
    }

    /// Text; `nil` becomes `null`.
    public init(_ text: String?) { self = text.map(Self.string) ?? .null }

    /// `true` or `false`; `nil` becomes `null`.
    public init(_ bool: Bool?) { self = bool.map(Self.bool) ?? .null }

    /// The JSON on one line: UTF-8, control characters escaped.
    public var text: String {
        var out = ""
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let bool): out += bool ? "true" : "false"
        case .integer(let integer): out += String(integer)
        case .number(let number): out += Self.written(number)
        case .string(let string): Self.write(string, to: &out)
        case .array(let elements):
            out += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { out += ", " }
                element.write(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { out += ", " }
                Self.write(member.key, to: &out)
                out += ": "
                member.value.write(to: &out)
            }
            out += "}"
        case .raw(let raw): out += raw
        }
    }

    /// Removes a trailing `.0`; `1e+20` is valid JSON.
    private static func written(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Escapes controls and the line separators that some readers treat as line ends.
    private static func write(_ string: String, to out: inout String) {
        out += "\""
        for scalar in string.unicodeScalars {
            switch scalar.value {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x0A: out += "\\n"
            case 0x0D: out += "\\r"
            case 0x09: out += "\\t"
            case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Keys and values in this order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
