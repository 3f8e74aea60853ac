/// Reads the part of XML that XML-RPC needs, one event at a time, and nothing more.
///
/// A document type declaration is refused, so no entity can be defined: there is none but the five of XML itself and
/// numeric ones. Depth, size and number of elements are bounded. It never looks outside the bytes it was given.
struct XMLPullParser {
    /// What comes next.
    enum Event: Equatable {
        case start(String)
        case end(String)
        case text(String)
        case finished
    }

    /// Why the bytes are not what they should be.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let what: String
        let offset: Int
        var description: String { "\(what) at byte \(offset)" }
    }

    /// Bounds on what is taken: a robot's description parameter is below 2 MB, the parameters of a whole flight stack below 1 MB.
    static let maximumBytes = 16 << 20
    static let maximumDepth = 256
    static let maximumElements = 1 << 20
    static let maximumNameLength = 64

    private let bytes: [UInt8]
    private var offset = 0
    private var open: [String] = []
    private var elements = 0
    private var selfClosing = false
    private var sawRoot = false

    init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Self.maximumBytes else {
            throw Failure(what: "\(bytes.count) bytes are above the bound of \(Self.maximumBytes)", offset: 0)
        }
        self.bytes = bytes
        // A byte order mark may stand in front.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Up to where it has read.
    var position: Int { offset }

    /// The next event; after the last end tag only ``Event/finished``.
    mutating func next() throws(Failure) -> Event {
        if selfClosing {
            selfClosing = false
            return .end(open.removeLast())
        }
        while true {
            if open.isEmpty {
                skipSpace()
                if offset == bytes.count {
                    guard sawRoot else { throw failure("nothing but space") }
                    return .finished
                }
            } else {
                let text = try readText()
                if let text { return .text(text) }
            }
            guard offset < bytes.count else { throw failure("the document ends inside '\(open.last ?? "")'") }
            guard bytes[offset] == UInt8(ascii: "<") else { throw failure("text outside the document") }
            if let event = try readMarkup() { return event }
        }
    }

    // MARK: Markup

    private mutating func readMarkup() throws(Failure) -> Event? {
        if has("<?") {
            try skip(past: "?>")
            return nil
        }
        if has("<!--") {
            offset += 4
            try skip(past: "-->")
            return nil
        }
        if has("<!") { throw failure("a declaration, which is refused") }
        if has("</") {
            offset += 2
            let name = try readName()
            skipSpace()
            try expect(">")
            guard open.popLast() == name else { throw failure("'</\(name)>' ends what is not open") }
            return .end(name)
        }
        offset += 1
        guard !(open.isEmpty && sawRoot) else { throw failure("a second root") }
        let name = try readName()
        try skipAttributes()
        elements += 1
        guard elements <= Self.maximumElements else { throw failure("more than \(Self.maximumElements) elements") }
        guard open.count < Self.maximumDepth else { throw failure("deeper than \(Self.maximumDepth) elements") }
        open.append(name)
        sawRoot = true
        if has("/>") {
            offset += 2
            selfClosing = true
        } else {
            try expect(">")
        }
        return .start(name)
    }

    private mutating func readName() throws(Failure) -> String {
        let start = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: ":"):
                offset += 1
                continue
            default: break
            }
            break
        }
        guard offset > start, offset - start <= Self.maximumNameLength else { throw failure("no element name") }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Attributes say nothing in XML-RPC (`xmlns` at most): their form is checked, their content passed over.
    private mutating func skipAttributes() throws(Failure) {
        while true {
            let before = offset
            skipSpace()
            guard offset < bytes.count else { throw failure("the document ends inside a tag") }
            if bytes[offset] == UInt8(ascii: ">") || bytes[offset] == UInt8(ascii: "/") { return }
            guard offset > before else { throw failure("no space before an attribute") }
            _ = try readName()
            skipSpace()
            try expect("=")
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") else {
                throw failure("an attribute without quotes")
            }
            let quote = bytes[offset]
            offset += 1
            while offset < bytes.count, bytes[offset] != quote {
                guard bytes[offset] != UInt8(ascii: "<") else { throw failure("'<' in an attribute") }
                offset += 1
            }
            guard offset < bytes.count else { throw failure("the document ends inside an attribute") }
            offset += 1
        }
    }

    // MARK: Text

    /// The text up to the next markup, `nil` when there is none; CDATA sections belong to it.
    private mutating func readText() throws(Failure) -> String? {
        var text: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "&"):
                text += try readReference()
                continue
            case UInt8(ascii: "<"):
                guard has("<![CDATA[") else { return try string(text) }
                offset += 9
                let start = offset
                try skip(past: "]]>")
                text += bytes[start..<offset - 3]
                continue
            case 0x0D:  // XML reads every line end as a line feed.
                text.append(0x0A)
                if offset + 1 < bytes.count, bytes[offset + 1] == 0x0A { offset += 1 }
            case 0x09, 0x0A, 0x20...0xFF: text.append(byte)
            default: throw failure("a control character")
            }
            offset += 1
        }
        return try string(text)
    }

    private func string(_ text: [UInt8]) throws(Failure) -> String? {
        guard !text.isEmpty else { return nil }
        guard let string = String(validating: text, as: UTF8.self) else { throw failure("text that is not UTF-8") }
        return string
    }

    private mutating func readReference() throws(Failure) -> [UInt8] {
        let longest = 12
        let start = offset + 1
        guard let end = bytes[start..<min(bytes.count, start + longest)].firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("an entity without ';'")
        }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        let result: [UInt8]
        switch name {
        case "lt": result = [UInt8(ascii: "<")]
        case "gt": result = [UInt8(ascii: ">")]
        case "amp": result = [UInt8(ascii: "&")]
        case "quot": result = [UInt8(ascii: "\"")]
        case "apos": result = [UInt8(ascii: "'")]
        default:
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let number, let scalar = Unicode.Scalar(number),
                number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number), number != 0xFFFE, number != 0xFFFF
            else { throw failure("an entity that is not known") }
            result = Array(String(Character(scalar)).utf8)
        }
        offset = end + 1
        return result
    }

    // MARK: Bytes

    private func has(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset + count <= bytes.count else { return false }
        return text.withUTF8Buffer { bytes[offset..<offset + count].elementsEqual($0) }
    }

    private mutating func expect(_ text: StaticString) throws(Failure) {
        guard has(text) else { throw failure("'\(text)' is missing") }
        offset += text.utf8CodeUnitCount
    }

    private mutating func skip(past text: StaticString) throws(Failure) {
        while offset < bytes.count {
            if has(text) {
                offset += text.utf8CodeUnitCount
                return
            }
            offset += 1
        }
        throw failure("the document ends before '\(text)'")
    }

    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    }

    private func failure(_ what: String) -> Failure { Failure(what: what, offset: offset) }
}
