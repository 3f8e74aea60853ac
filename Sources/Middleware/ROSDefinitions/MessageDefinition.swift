/// A message definition in the format of a `.msg` file.
public struct MessageDefinition: Hashable, Sendable {
    /// The largest text of one definition in bytes; the longest in use have about 10,000.
    public static let maximumTextBytes = 1 << 20
    /// The most elements of a fixed array.
    public static let maximumFixedCount = 1 << 20

    /// `package/Name`.
    public let typeName: String
    /// The unparsed text.
    public let text: String
    /// The constants in the order of the text.
    public let constants: [ConstantDefinition]
    /// The fields in the order of the text.
    public let fields: [FieldDefinition]

    /// Parses the text of a `.msg` file.
    ///
    /// - Parameter typeName: `package/Name`; types without a package in the text belong to this package.
    /// - Throws: ``DefinitionError`` with the line.
    public init(typeName: String, text: String) throws(DefinitionError) {
        guard Self.isTypeName(typeName), let slash = typeName.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            throw DefinitionError("a type name has the form package/Name", in: typeName)
        }
        guard text.utf8.count <= Self.maximumTextBytes else {
            throw DefinitionError("the text has more than \(Self.maximumTextBytes) bytes", in: typeName)
        }
        self.typeName = typeName
        self.text = text
        let package = typeName[..<slash]
        var constants: [ConstantDefinition] = []
        var fields: [FieldDefinition] = []
        for (index, bytes) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = Substring(bytes)
            let bare = line.untilComment.trimmed
            guard !bare.isEmpty else { continue }
            do {
                if bare.utf8.contains(UInt8(ascii: "=")) {
                    constants.append(try Self.constant(line: line, bare: bare))
                } else {
                    fields.append(try Self.field(bare, package: package))
                }
            } catch {
                throw DefinitionError(error.what, in: typeName, line: index + 1)
            }
        }
        self.constants = constants
        self.fields = fields
    }

    /// The message types of the fields, each once, in the order of their first use.
    public var dependencies: [String] {
        var seen: Set<String> = []
        return fields.compactMap { field in
            guard case .message(let name) = field.element, seen.insert(name).inserted else { return nil }
            return name
        }
    }

    private struct LineError: Error { let what: String }

    private static func constant(line: Substring, bare: Substring) throws(LineError) -> ConstantDefinition {
        let words = bare.words
        guard let first = words.first, let type = BuiltinType(rawValue: String(first)), type.allowsConstants else {
            throw LineError(what: "a constant has the form 'type NAME=value' with a built-in type")
        }
        // The value of a string extends to the end of the line, including any '#'.
        let declaration = (type == .string ? line.trimmed : bare).dropFirst(first.count)
        guard let equals = declaration.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw LineError(what: "a constant has the form 'type NAME=value'")
        }
        let name = declaration[..<equals].trimmed
        let value = declaration[declaration.utf8.index(after: equals)...].trimmed
        guard isName(name), type == .string || isValue(value, of: type) else {
            throw LineError(what: "'\(bare)' is not 'type NAME=value' with a value of that type")
        }
        let summed = type == .string ? String(declaration[..<equals].dropFirst()) : String(name)
        return ConstantDefinition(type: type, name: String(name), value: String(value), md5Name: summed)
    }

    private static func isValue(_ value: Substring, of type: BuiltinType) -> Bool {
        switch type {
        case .bool: ["True", "False", "true", "false", "0", "1"].contains(value)
        case .int8, .byte: Int8(value) != nil
        case .uint8, .char: UInt8(value) != nil
        case .int16: Int16(value) != nil
        case .uint16: UInt16(value) != nil
        case .int32: Int32(value) != nil
        case .uint32: UInt32(value) != nil
        case .int64: Int64(value) != nil
        case .uint64: UInt64(value) != nil
        case .float32, .float64: Double(value) != nil
        case .string: true
        case .time, .duration: false
        }
    }

    private static func field(_ bare: Substring, package: Substring) throws(LineError) -> FieldDefinition {
        let words = bare.words
        guard words.count == 2, let written = words.first, let name = words.last, isName(name) else {
            throw LineError(what: "'\(bare)' is not 'type name'")
        }
        var type = written
        var count = FieldCount.one
        if let bracket = written.utf8.firstIndex(of: UInt8(ascii: "[")) {
            type = written[..<bracket]
            let inside = written[written.utf8.index(after: bracket)...]
            guard inside.utf8.last == UInt8(ascii: "]") else {
                throw LineError(what: "'\(written)' has no ']' at its end")
            }
            let number = inside.dropLast()
            if number.isEmpty {
                count = .any
            } else if let fixed = Int(number), (0...maximumFixedCount).contains(fixed) {
                count = .fixed(fixed)
            } else {
                throw LineError(what: "'\(number)' is not a length between 0 and \(maximumFixedCount)")
            }
        }
        let element: ElementType
        if let builtin = BuiltinType(rawValue: String(type)) {
            element = .builtin(builtin)
        } else {
            let full =
                type == "Header"
                ? "std_msgs/Header" : type.utf8.contains(UInt8(ascii: "/")) ? String(type) : "\(package)/\(type)"
            guard isTypeName(full) else { throw LineError(what: "'\(type)' is not a type name") }
            element = .message(full)
        }
        return FieldDefinition(element: element, count: count, name: String(name), writtenType: String(written))
    }

    private static func isName(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, first.isLetter else { return false }
        return name.utf8.count <= 256 && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }

    static func isTypeName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { isName(Substring($0)) }
    }
}

/// A service definition in the format of a `.srv` file.
public struct ServiceDefinition: Hashable, Sendable {
    /// `package/Name`.
    public let typeName: String
    /// The request; its type name ends in `Request`.
    public let request: MessageDefinition
    /// The response; its type name ends in `Response`.
    public let response: MessageDefinition

    /// Parses the text of a `.srv` file: request, a line `---`, response.
    ///
    /// - Throws: ``DefinitionError`` with the line.
    public init(typeName: String, text: String) throws(DefinitionError) {
        self.typeName = typeName
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        let rules = lines.indices.filter { lines[$0].hasPrefix("---") }
        guard let rule = rules.first, rules.count == 1 else {
            throw DefinitionError(
                "a service definition needs exactly one line '---', found \(rules.count)", in: typeName)
        }
        // ROS terminates every line of request and response, including the last.
        request = try MessageDefinition(
            typeName: typeName + "Request", text: lines[..<rule].map { $0 + "\n" }.joined())
        do {
            response = try MessageDefinition(
                typeName: typeName + "Response", text: lines[(rule + 1)...].map { $0 + "\n" }.joined())
        } catch {
            throw DefinitionError(error.what, in: typeName, line: error.line > 0 ? error.line + rule + 1 : 0)
        }
    }
}

extension Substring {
    /// The text without white space (space, tab, carriage return) at either end.
    var trimmed: Substring {
        let utf8 = self.utf8
        guard let first = utf8.firstIndex(where: { !$0.isBlank }), let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return self[endIndex...] }
        return self[first...last]
    }

    /// The text up to the first `#`.
    var untilComment: Substring { self[..<(utf8.firstIndex(of: UInt8(ascii: "#")) ?? endIndex)] }

    /// The parts separated by white space.
    var words: [Substring] { utf8.split(whereSeparator: \.isBlank).map { Substring($0) } }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
