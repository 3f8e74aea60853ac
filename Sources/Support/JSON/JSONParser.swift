/// Reads JSON (RFC 8259) with bounded time and memory, and keeps the position of each value: Foundation's reader neither
/// reports the place of an error nor limits the depth.
package struct JSONParser {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private let name: String
    private var position = 0
    private var values = 0

    /// The value of a text; a byte order mark in front of it is skipped.
    ///
    /// - Parameter name: what errors call the text: `the file`.
    /// - Throws: ``JSONSyntaxError``, also if a limit is exceeded.
    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits, called name: String = "the text"
    ) throws(JSONSyntaxError) -> JSONNode {
        guard bytes.count <= limits.bytes else {
            throw JSONSyntaxError(
                offset: limits.bytes, what: "\(bytes.count) bytes of JSON, at most \(limits.bytes) are read")
        }
        var reader = JSONParser(bytes, limits, name)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        let root = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.position == bytes.count else { throw reader.failure("the end of \(name)") }
        return root
    }

    private init(_ bytes: [UInt8], _ limits: JSONLimits, _ name: String) {
        (self.bytes, self.limits, self.name) = (bytes, limits, name)
    }

    private func failure(_ expected: String) -> JSONSyntaxError {
        guard position < bytes.count else { return error(at: position, "\(name) ends, expected \(expected)") }
        let rest = bytes[position...].prefix(12).prefix { $0 >= 0x20 }
        let found = rest.isEmpty ? "the byte \(bytes[position])" : "'\(String(decoding: rest, as: UTF8.self))'"
        return error(at: position, "found \(found), expected \(expected)")
    }

    private func error(at offset: Int, _ what: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: offset, what: what)
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        skipBlanks()
        let start = position
        guard depth < limits.depth else {
            throw error(at: start, "values are nested more than \(limits.depth) deep")
        }
        values += 1
        guard values <= limits.values else {
            throw error(at: start, "there are more than \(limits.values) values")
        }
        guard start < bytes.count else { throw failure("a value") }
        let content: JSONNode.Content
        switch bytes[start] {
        case UInt8(ascii: "{"): content = .object(try members(depth: depth))
        case UInt8(ascii: "["): content = .array(try elements(depth: depth))
        case UInt8(ascii: "\""): content = .string(try text())
        case UInt8(ascii: "t"): content = try word("true", .bool(true))
        case UInt8(ascii: "f"): content = try word("false", .bool(false))
        case UInt8(ascii: "n"): content = try word("null", .null)
        default: content = .number(try number())
        }
        return JSONNode(content: content, offset: start)
    }

    private mutating func word(_ word: String, _ content: JSONNode.Content) throws(JSONSyntaxError) -> JSONNode.Content
    {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("a value") }
        position += word.utf8.count
        return content
    }

    private mutating func number() throws(JSONSyntaxError) -> Double {
        let end = bytes[position...].firstIndex { !Self.isPartOfNumber($0) } ?? bytes.count
        let digits = bytes[position..<end]
        guard (1...Self.longestNumber).contains(digits.count), digits.first != UInt8(ascii: "+"),
            let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite
        else { throw failure("a value") }
        position = end
        return value
    }

    private static let longestNumber = 64

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func elements(depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
        position += 1
        var elements: [JSONNode] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            guard elements.count < limits.longestList else {
                throw error(
                    at: position, "found another element of a list, expected at most \(limits.longestList)")
            }
            elements.append(try value(depth: depth + 1))
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw failure("',' or ']'") }
            return elements
        }
    }

    private mutating func members(depth: Int) throws(JSONSyntaxError) -> [JSONMember] {
        position += 1
        var members: [JSONMember] = []
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipBlanks()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw failure("a key in quotes")
            }
            let key = try text()
            guard take(UInt8(ascii: ":")) else { throw failure("':'") }
            members.append(JSONMember(key: key, value: try value(depth: depth + 1)))
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw failure("',' or '}'") }
            return members
        }
    }

    private mutating func text() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        var out: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: out, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &out)
            case 0..<0x20: throw failure("no control character within quotes")
            default:
                out.append(byte)
                position += 1
            }
        }
        throw error(at: start, "\(name) ends within quotes")
    }

    private mutating func escape(into out: inout [UInt8]) throws(JSONSyntaxError) {
        guard position < bytes.count else { throw failure("the rest of an escape") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            var code = try fourDigits()
            if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: [0x5C, 0x75]) {
                position += 2
                let low = try fourDigits()
                code = (0xDC00..<0xE000).contains(low) ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : 0xFFFD
            }
            out += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
        default:
            position -= 1
            throw failure("an escape of JSON")
        }
    }

    private mutating func fourDigits() throws(JSONSyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(.init($0)).isHexDigit }),
            let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw failure("four hexadecimal digits") }
        position += 4
        return code
    }
}
