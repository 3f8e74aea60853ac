/// A message of ROS 2 as Python prints it, `std_srvs.srv.Trigger_Response(success=True, message='ok')`.
struct PythonText {
    private let text: [UInt8]
    private var place = 0
    private var out: [UInt8] = []

    /// Nested deeper than this is no message of a vehicle.
    private static let mostLevels = 32

    /// The same in YAML, on one line; `nil` if it is something else, or was shortened.
    static func yaml(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var reader = PythonText(Array(text))
        guard reader.value(level: 0) else { return nil }
        reader.skipSpaces()
        return reader.place == reader.text.count ? reader.out : nil
    }

    private init(_ text: [UInt8]) { self.text = text }

    private var next: UInt8? { place < text.count ? text[place] : nil }

    private mutating func skipSpaces() {
        while next == UInt8(ascii: " ") { place += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func word(_ isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let begin = place
        while let byte = next, isPart(byte) { place += 1 }
        return text[begin..<place]
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (0x30...0x39).contains(byte)
            || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private mutating func value(level: Int) -> Bool {
        guard level < Self.mostLevels else { return false }
        skipSpaces()
        switch next {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return quoted()
        case UInt8(ascii: "["): return list(level: level)
        case UInt8(ascii: "-"):
            place += 1
            out.append(UInt8(ascii: "-"))
            return plain(word(Self.isOfNumber))
        case let digit? where (0x30...0x39).contains(digit): return plain(word(Self.isOfNumber))
        default: break
        }
        let name = word(Self.isOfName)
        guard !name.isEmpty else { return false }
        guard take("(") else { return plain(name) }
        return name.elementsEqual("array".utf8) ? array(level: level) : fields(level: level)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        isOfName(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }

    /// A number, or one of Python's words.
    private mutating func plain(_ word: ArraySlice<UInt8>) -> Bool {
        switch String(decoding: word, as: UTF8.self) {
        case "True": out += Array("true".utf8)
        case "False": out += Array("false".utf8)
        case "None": out += Array("null".utf8)
        case "nan": out += Array(".nan".utf8)
        case "inf": out += Array(".inf".utf8)
        default:
            guard let first = word.first, (0x30...0x39).contains(first) else { return false }
            out += word
        }
        return true
    }

    /// Python's escapes are those of YAML in double quotes, but for that of the single quote.
    private mutating func quoted() -> Bool {
        let quote = text[place]
        place += 1
        out.append(UInt8(ascii: "\""))
        while let byte = next {
            place += 1
            if byte == quote {
                out.append(UInt8(ascii: "\""))
                return true
            }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return false }
                place += 1
                if escaped != UInt8(ascii: "'") { out.append(byte) }
                out.append(escaped)
            } else {
                if byte == UInt8(ascii: "\"") { out.append(UInt8(ascii: "\\")) }
                out.append(byte)
            }
        }
        return false
    }

    private mutating func list(level: Int) -> Bool {
        guard take("[") else { return false }
        out.append(UInt8(ascii: "["))
        return elements(until: "]") { $0.value(level: level + 1) }
    }

    /// `array([1., 2.], dtype=float32)` of numpy, `array('d', [1.0])` of Python.
    private mutating func array(level: Int) -> Bool {
        while let byte = next, byte != UInt8(ascii: "["), byte != UInt8(ascii: ")") { place += 1 }
        guard list(level: level) else { return false }
        while let byte = next, byte != UInt8(ascii: ")") { place += 1 }
        return take(")")
    }

    private mutating func fields(level: Int) -> Bool {
        out.append(UInt8(ascii: "{"))
        return elements(until: ")") { reader in
            let name = reader.word(Self.isOfName)
            guard !name.isEmpty, reader.take("=") else { return false }
            reader.out += name
            reader.out += Array(": ".utf8)
            return reader.value(level: level + 1)
        }
    }

    private mutating func elements(
        until end: Unicode.Scalar, _ element: (inout PythonText) -> Bool
    ) -> Bool {
        var isFirst = true
        while true {
            skipSpaces()
            if take(end) {
                out.append(UInt8(ascii: end == ")" ? "}" : "]"))
                return true
            }
            if !isFirst {
                guard take(",") else { return false }
                out += Array(", ".utf8)
                skipSpaces()
            }
            guard element(&self) else { return false }
            isFirst = false
        }
    }
}
