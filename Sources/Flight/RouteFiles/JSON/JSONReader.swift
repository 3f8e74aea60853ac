internal import UAVLink

/// Reads JSON (RFC 8259) with bounded time and memory, and keeps the position of each value: Foundation's reader neither
/// reports the line of an error nor limits the depth.
struct JSONReader {
    /// 64 MiB: a route of 100 000 points, with the properties of each.
    static let maximumBytes = 64 << 20
    /// Nesting depth; a MultiPolygon in GeoJSON needs nine.
    static let maximumDepth = 64
    /// The lists of a plan's parameters and of positions have up to seven elements, however few points are accepted.
    static let leastList = 16
    /// Total number of values: a line of a million points with three numbers has four million.
    static let maximumValues = 5_000_000

    private let source: String
    private let bytes: [UInt8]
    private var position = 0
    private var values = 0
    private let longestList: Int

    /// - Parameter longestList: the most elements of one list; reading stops at the first one beyond it.
    static func read(
        _ bytes: [UInt8], source: String, longestList: Int = maximumValues
    ) throws(RouteFileError) -> JSONDocument {
        guard bytes.count <= maximumBytes else {
            throw RouteFileError(
                "\(source.sanitizedLine): \(bytes.count) bytes of JSON, at most \(maximumBytes) are read")
        }
        var reader = JSONReader(source: source, bytes: bytes, longestList: max(longestList, leastList))
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        let root = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.position == bytes.count else { throw reader.failure("the end of the file") }
        return JSONDocument(source: source, bytes: bytes, root: root)
    }

    private init(source: String, bytes: [UInt8], longestList: Int) {
        self.longestList = longestList
        self.source = source
        self.bytes = bytes
    }

    static func error(_ source: String, _ bytes: [UInt8], at offset: Int, _ what: String) -> RouteFileError {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return RouteFileError("\(source.sanitizedLine), line \(line), column \(column): \(what)")
    }

    private func failure(_ expected: String) -> RouteFileError {
        guard position < bytes.count else {
            return Self.error(source, bytes, at: position, "the file ends, expected \(expected)")
        }
        let rest = bytes[position...].prefix(12).prefix { $0 >= 0x20 }
        let found =
            rest.isEmpty ? "the byte \(bytes[position])" : RouteFileError.shown(String(decoding: rest, as: UTF8.self))
        return Self.error(source, bytes, at: position, "found \(found), expected \(expected)")
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

    private mutating func value(depth: Int) throws(RouteFileError) -> JSONNode {
        skipBlanks()
        let start = position
        guard depth < Self.maximumDepth else {
            throw Self.error(source, bytes, at: start, "values are nested more than \(Self.maximumDepth) deep")
        }
        values += 1
        guard values <= Self.maximumValues else {
            throw Self.error(source, bytes, at: start, "there are more than \(Self.maximumValues) values")
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

    private mutating func word(_ word: String, _ content: JSONNode.Content) throws(RouteFileError) -> JSONNode.Content {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("a value") }
        position += word.utf8.count
        return content
    }

    private mutating func number() throws(RouteFileError) -> Double {
        let end = bytes[position...].firstIndex { !PlainNumber.isPart($0) } ?? bytes.count
        guard bytes[position] != UInt8(ascii: "+"), let value = PlainNumber.double(bytes[position..<end]) else {
            throw failure("a value")
        }
        position = end
        return value
    }

    private mutating func elements(depth: Int) throws(RouteFileError) -> [JSONNode] {
        position += 1
        var elements: [JSONNode] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            guard elements.count < longestList else {
                throw Self.error(
                    source, bytes, at: position, "found another element of a list, expected at most \(longestList)")
            }
            elements.append(try value(depth: depth + 1))
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw failure("',' or ']'") }
            return elements
        }
    }

    private mutating func members(depth: Int) throws(RouteFileError) -> [JSONMember] {
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

    private mutating func text() throws(RouteFileError) -> String {
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
        throw Self.error(source, bytes, at: start, "the file ends within quotes")
    }

    private mutating func escape(into out: inout [UInt8]) throws(RouteFileError) {
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

    private mutating func fourDigits() throws(RouteFileError) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(.init($0)).isHexDigit }),
            let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw failure("four hexadecimal digits") }
        position += 4
        return code
    }
}
