internal import ROS2

/// A field of a ROS 2 message in Swift.
struct InterfaceField {
    let definition: IndividualTypeDescription.Field
    /// The property's name, quoted if it is a keyword.
    let property: String
    /// The property's type.
    let type: String
    /// The value of a new message.
    let initial: String
    /// The statements that read it.
    let reading: [String]
    /// The statements that write it.
    let writing: [String]

    /// The property's name after `self.`, where a keyword needs no quoting.
    var unquotedProperty: String { property.filter { $0 != "`" } }

    private struct Element {
        var type: String
        var zero: String
        /// The call that reads one, and the one that writes `value`.
        var read: String
        var write: String
        /// Of one in CDR, without padding.
        var minimumSize: Int
        var isNumber = false
        var isNested = false
        /// `readBools` and the like.
        var readsAll: String?

        func writing(_ value: String) -> String {
            write.split(separator: "value", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: value)
        }
    }

    init(
        _ field: IndividualTypeDescription.Field, interfaces: InterfaceSet, swift: (String) -> String
    ) throws(InterfaceError) {
        definition = field
        let property = SwiftNames.property(field.name)
        self.property = property
        let element = try Self.element(of: field, interfaces: interfaces, property: property, swift: swift)
        let throwing = "(reader) throws(ROSDecodingError) in"
        switch field.type.count {
        case .one:
            type = element.type
            initial = Self.initial(of: field) ?? element.zero
            reading = ["\(property) = try \(element.read)"]
            writing = [element.writing(property)]
        case .array(let count):
            type = "[\(element.type)]"
            initial = "Array(repeating: \(element.zero), count: \(count))"
            if element.isNumber {
                reading = ["\(property) = try reader.readArray(count: \(count))"]
                writing = ["writer.write(fixed: \(property), count: \(count))"]
            } else if element.isNested {
                reading = ["\(property) = try reader.readArray(count: \(count), element: \(element.type).init(from:))"]
                writing = [
                    "writer.write(fixed: \(property), count: \(count), filler: \(element.zero)) { $0.write(to: &$1) }"
                ]
            } else {
                reading = [
                    "\(property) = try reader.readArray(count: \(count)) { \(throwing)", "    try \(element.read)", "}",
                ]
                writing = [
                    "writer.write(fixed: \(property), count: \(count), filler: \(element.zero)) { $1.write($0) }"
                ]
            }
        case .sequence, .boundedSequence:
            (type, initial) = ("[\(element.type)]", "[]")
            var bound = ""
            var values = property
            if case .boundedSequence(let most) = field.type.count {
                bound = "atMost: \(most)"
                values = "Array(\(property).prefix(\(most)))"
            }
            let separated = bound.isEmpty ? "" : ", " + bound
            if let readsAll = element.readsAll {
                reading = ["\(property) = try reader.\(readsAll)(\(bound))"]
                writing = ["writer.write(\(values))"]
            } else if element.isNested {
                reading = [
                    "\(property) = try reader.readArray(",
                    "    minimumElementSize: \(element.minimumSize)\(separated), element: \(element.type).init(from:))",
                ]
                let bounded = bound.isEmpty ? property : "\(property).prefix(\(field.type.capacity))"
                writing = [
                    "writer.writeCount(\(bounded).count)", "for element in \(bounded) { element.write(to: &writer) }",
                ]
            } else {
                reading = [
                    "\(property) = try reader.readArray(minimumElementSize: \(element.minimumSize)\(separated)) { \(throwing)",
                    "    try \(element.read)", "}",
                ]
                writing = [
                    "writer.writeCount(\(values).count)",
                    "for element in \(values) { \(element.writing("element")) }",
                ]
            }
        }
    }

    private static func element(
        of field: IndividualTypeDescription.Field, interfaces: InterfaceSet, property: String,
        swift: (String) -> String
    ) throws(InterfaceError) -> Element {
        switch field.type.element {
        case .nested("builtin_interfaces/msg/Time"):
            return Element(
                type: "ROSTime", zero: "ROSTime()", read: "reader.readTime()", write: "writer.write(value)",
                minimumSize: 8)
        case .nested("builtin_interfaces/msg/Duration"):
            return Element(
                type: "ROSDuration", zero: "ROSDuration()", read: "reader.readDuration()",
                write: "writer.write(value)", minimumSize: 8)
        case .nested(let name):
            let type = SwiftNames.type(of: name)
            return Element(
                type: type, zero: ".init()", read: "\(type)(from: &reader)", write: "value.write(to: &writer)",
                minimumSize: try minimumSize(of: name, interfaces), isNested: true)
        case .boundedString(let most):
            return Element(
                type: swift("String"), zero: "\"\"", read: "reader.readString()",
                write: "writer.write(value, atMost: \(most))", minimumSize: 4)
        case .builtin(.string):
            return Element(
                type: swift("String"), zero: "\"\"", read: "reader.readString()", write: "writer.write(value)",
                minimumSize: 4, readsAll: "readStrings")
        case .builtin(.bool):
            return Element(
                type: swift("Bool"), zero: "false", read: "reader.readBool()", write: "writer.write(value)",
                minimumSize: 1, readsAll: "readBools")
        case .builtin(let builtin):
            guard let (name, reader, size) = number(builtin) else {
                fail("\(field.name): there is no Swift type for '\(builtin)'")
            }
            return Element(
                type: swift(name), zero: "0", read: "reader.read\(reader)()", write: "writer.write(value)",
                minimumSize: size, isNumber: true, readsAll: "readArray")
        }
    }

    /// The Swift type of a number; `nil` for other types.
    static func numberType(of shape: FieldShape) -> String? {
        guard case .builtin(let builtin) = shape.element, shape.count == .one else { return nil }
        return number(builtin)?.type
    }

    private static func number(_ builtin: FieldShape.Builtin) -> (type: String, reader: String, size: Int)? {
        switch builtin {
        case .int8: ("Int8", "Int8", 1)
        case .uint8, .char, .byte: ("UInt8", "UInt8", 1)
        case .int16: ("Int16", "Int16", 2)
        case .uint16: ("UInt16", "UInt16", 2)
        case .int32: ("Int32", "Int32", 4)
        case .uint32: ("UInt32", "UInt32", 4)
        case .int64: ("Int64", "Int64", 8)
        case .uint64: ("UInt64", "UInt64", 8)
        case .float32: ("Float", "Float32", 4)
        case .float64: ("Double", "Float64", 8)
        default: nil
        }
    }

    /// The smallest size of a message: without padding, with empty strings and sequences.
    private static func minimumSize(of typeName: String, _ interfaces: InterfaceSet) throws(InterfaceError) -> Int {
        var size = 0
        for field in try interfaces.definition(of: typeName).type.fields {
            let element: Int
            switch field.type.element {
            case .nested(let name): element = try minimumSize(of: name, interfaces)
            case .boundedString, .builtin(.string): element = 4
            case .builtin(let builtin): element = number(builtin)?.size ?? 1
            }
            switch field.type.count {
            case .one: size += element
            case .array(let count): size += Int(count) * element
            case .sequence, .boundedSequence: size += 4
            }
        }
        return size
    }

    /// The default of the definition.
    private static func initial(of field: IndividualTypeDescription.Field) -> String? {
        guard !field.defaultValue.isEmpty, case .builtin(let builtin) = field.type.element else { return nil }
        return builtin == .bool ? field.defaultValue.lowercased() : field.defaultValue
    }
}
