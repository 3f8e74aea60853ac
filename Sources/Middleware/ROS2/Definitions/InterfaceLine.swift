/// A line of a definition that declares something.
struct InterfaceLine {
    struct LineError: Error { let what: String }

    enum Member {
        case constant(InterfaceDefinition.Constant)
        case field(IndividualTypeDescription.Field)
    }

    private let type: Substring
    private let rest: Substring

    /// `nil` for an empty line or a comment.
    init?(_ line: Substring) {
        let bare = Self.withoutComment(line).trimmed
        guard !bare.isEmpty else { return nil }
        let end = bare.utf8.firstIndex(where: \.isBlank) ?? bare.endIndex
        type = bare[..<end]
        rest = bare[end...].trimmed
    }

    func member(package: String) throws(LineError) -> Member {
        let shape = try Self.shape(type, package: package)
        let nameEnd = rest.utf8.firstIndex { $0.isBlank || $0 == UInt8(ascii: "=") } ?? rest.endIndex
        let name = rest[..<nameEnd]
        let value = rest[nameEnd...].trimmed
        guard ROS2TypeName.isWord(name), name.utf8.count <= ROS2TypeName.maximumLength else {
            throw LineError(what: "'\(name)' is not a name")
        }
        if value.utf8.first == UInt8(ascii: "=") {
            guard case .builtin = shape.element, shape.count == .one else {
                throw LineError(what: "a constant has the form 'type NAME=value' with a built-in type")
            }
            return .constant(
                .init(type: shape, name: String(name), value: Self.unquoted(value.dropFirst().trimmed)))
        }
        return .field(.init(name: String(name), type: shape, defaultValue: String(value)))
    }

    /// `#` begins a comment where it is in no quotes.
    private static func withoutComment(_ line: Substring) -> Substring {
        var quote: UInt8?
        var isEscaped = false
        for index in line.utf8.indices {
            let byte = line.utf8[index]
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == open {
                    quote = nil
                }
            } else if byte == UInt8(ascii: "#") {
                return line[..<index]
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        // An apostrophe in a comment is none; one in a line without a comment opens nothing that matters.
        return quote == nil ? line : line[..<(line.utf8.firstIndex(of: UInt8(ascii: "#")) ?? line.endIndex)]
    }

    private static func unquoted(_ value: Substring) -> String {
        guard let first = value.utf8.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"),
            value.utf8.count >= 2, value.utf8.last == first
        else { return String(value) }
        return String(value.dropFirst().dropLast())
    }

    private static func shape(_ written: Substring, package: String) throws(LineError) -> FieldShape {
        var name = written
        var count = FieldShape.Count.one
        if written.utf8.last == UInt8(ascii: "]"), let bracket = written.utf8.lastIndex(of: UInt8(ascii: "[")) {
            name = written[..<bracket]
            let inside = written[written.utf8.index(after: bracket)...].dropLast()
            if inside.isEmpty {
                count = .sequence
            } else if inside.hasPrefix("<=") {
                count = .boundedSequence(try number(inside.dropFirst(2)))
            } else {
                count = .array(try number(inside))
            }
        }
        if let bound = name.utf8.firstIndex(of: UInt8(ascii: "<")) {
            guard name[..<bound] == "string", name[bound...].hasPrefix("<=") else {
                throw LineError(what: "'\(name)' is not a type")
            }
            return FieldShape(.boundedString(try number(name[bound...].dropFirst(2))), count: count)
        }
        if let builtin = FieldShape.Builtin(definitionName: name) { return FieldShape(.builtin(builtin), count: count) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let full =
            switch parts.count {
            case 1: "\(package)/msg/\(name)"
            case 2: "\(parts[0])/msg/\(parts[1])"
            default: String(name)
            }
        guard ROS2TypeName(full) != nil else { throw LineError(what: "'\(name)' is not a type name") }
        return FieldShape(.nested(full), count: count)
    }

    private static func number(_ text: Substring) throws(LineError) -> UInt64 {
        guard let number = UInt64(text), (1...InterfaceDefinition.maximumCount).contains(number) else {
            throw LineError(what: "'\(text)' is not a number between 1 and \(InterfaceDefinition.maximumCount)")
        }
        return number
    }
}

extension FieldShape.Builtin {
    /// The type of this name in a definition. A `char` is a `uint8` in ROS 2, in hashes too.
    init?(definitionName: Substring) {
        switch definitionName {
        case "bool": self = .bool
        case "byte": self = .byte
        case "char", "uint8": self = .uint8
        case "int8": self = .int8
        case "int16": self = .int16
        case "uint16": self = .uint16
        case "int32": self = .int32
        case "uint32": self = .uint32
        case "int64": self = .int64
        case "uint64": self = .uint64
        case "float32": self = .float32
        case "float64": self = .float64
        case "string": self = .string
        case "wstring": self = .wstring
        default: return nil
        }
    }
}

extension Substring {
    /// The text without spaces, tabs and carriage returns at either end.
    var trimmed: Substring {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }), let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
