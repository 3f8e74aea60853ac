internal import ROSDefinitions

/// A field of a message in Swift.
struct SwiftField {
    let definition: FieldDefinition
    /// The property's name, quoted if it is a keyword.
    let property: String
    /// The property's type.
    let type: String
    /// The default value.
    let zero: String
    /// The statements that read it.
    let reading: [String]
    /// The statements that write it.
    let writing: [String]

    /// The property's name after `self.`, where a keyword needs no quoting.
    var unquotedProperty: String { property.filter { $0 != "`" } }

    init(_ field: FieldDefinition, source: SwiftSource, package: Substring) throws(DefinitionError) {
        definition = field
        let property = SwiftNames.property(field.name)
        self.property = property
        switch field.element {
        case .message(let name):
            let element = SwiftNames.type(of: name)
            let minimum = try source.definitions.minimumSize(of: name)
            switch field.count {
            case .one:
                (type, zero) = (element, "\(element)()")
                reading = ["\(property) = try \(element)(from: &reader)"]
                writing = ["\(property).write(to: &writer)"]
            case .any:
                (type, zero) = ("[\(element)]", "[]")
                reading = [
                    "\(property) = try reader.readArray(",
                    "    minimumElementSize: \(minimum), element: \(element).init(from:))",
                ]
                writing = [
                    "writer.writeCount(\(property).count)",
                    "for element in \(property) { element.write(to: &writer) }",
                ]
            case .fixed(let count):
                (type, zero) = ("[\(element)]", "Array(repeating: \(element)(), count: \(count))")
                reading = ["\(property) = try reader.readArray(count: \(count), element: \(element).init(from:))"]
                writing = [
                    "writer.write(fixed: \(property), count: \(count), filler: \(element)()) { $0.write(to: &$1) }"
                ]
            }
        case .builtin(let builtin):
            let name = Self.name(of: builtin)
            let element = source.swift(name, in: package)
            let zeroElement = Self.zero(of: builtin)
            let isNumber = ![.bool, .string, .time, .duration].contains(builtin)
            let reader = "read\(Self.readerName(of: builtin))"
            switch field.count {
            case .one:
                (type, zero) = (element, zeroElement)
                reading = ["\(property) = try reader.\(reader)()"]
                writing = ["writer.write(\(property))"]
            case .any:
                (type, zero) = ("[\(element)]", "[]")
                switch builtin {
                case .bool: reading = ["\(property) = try reader.readBools()"]
                case .string: reading = ["\(property) = try reader.readStrings()"]
                case .time, .duration:
                    reading = [
                        "\(property) = try reader.readArray(minimumElementSize: 8) { (reader) throws(ROSDecodingError) in",
                        "    try reader.\(reader)()",
                        "}",
                    ]
                default: reading = ["\(property) = try reader.readArray()"]
                }
                if builtin == .time || builtin == .duration {
                    writing = [
                        "writer.writeCount(\(property).count)", "for element in \(property) { writer.write(element) }",
                    ]
                } else {
                    writing = ["writer.write(\(property))"]
                }
            case .fixed(let count):
                (type, zero) = ("[\(element)]", "Array(repeating: \(zeroElement), count: \(count))")
                if isNumber {
                    reading = ["\(property) = try reader.readArray(count: \(count))"]
                    writing = ["writer.write(fixed: \(property), count: \(count))"]
                } else {
                    reading = [
                        "\(property) = try reader.readArray(count: \(count)) { (reader) throws(ROSDecodingError) in",
                        "    try reader.\(reader)()",
                        "}",
                    ]
                    writing = [
                        "writer.write(fixed: \(property), count: \(count), filler: \(zeroElement)) { $1.write($0) }"
                    ]
                }
            }
        }
    }

    /// The Swift type of a built-in type.
    static func name(of builtin: BuiltinType) -> String {
        switch builtin {
        case .bool: "Bool"
        case .int8, .byte: "Int8"
        case .uint8, .char: "UInt8"
        case .int16: "Int16"
        case .uint16: "UInt16"
        case .int32: "Int32"
        case .uint32: "UInt32"
        case .int64: "Int64"
        case .uint64: "UInt64"
        case .float32: "Float"
        case .float64: "Double"
        case .string: "String"
        case .time: "ROSTime"
        case .duration: "ROSDuration"
        }
    }

    private static func readerName(of builtin: BuiltinType) -> String {
        switch builtin {
        case .float32: "Float32"
        case .float64: "Float64"
        case .time: "Time"
        case .duration: "Duration"
        default: name(of: builtin)
        }
    }

    private static func zero(of builtin: BuiltinType) -> String {
        switch builtin {
        case .bool: "false"
        case .string: "\"\""
        case .time: "ROSTime()"
        case .duration: "ROSDuration()"
        default: "0"
        }
    }
}
