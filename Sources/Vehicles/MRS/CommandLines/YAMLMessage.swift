internal import MRSMessages
internal import ROSDefinitions
internal import ROSMessages
internal import YAML

/// Serialises a message printed by `rostopic echo` or `ros2 topic echo`, in ROS 1's form, using the definition of its type.
struct YAMLMessage {
    private let definitions: DefinitionSet
    private let typeName: String

    /// - Throws: `DefinitionError` when the type's own definition is wrong.
    init(_ type: any ROSMessage.Type) throws(DefinitionError) {
        definitions = try DefinitionSet(fullText: type.definition, typeName: type.typeName)
        typeName = type.typeName
    }

    /// The bytes of a printed message. A missing field is an error: the vehicle uses another version of the type.
    ///
    /// - Throws: `YAMLError` that names the field and its position.
    func serialised(_ node: YAMLNode) throws(YAMLError) -> [UInt8] {
        var writer = ROSWriter()
        try write(node, as: typeName, to: &writer)
        return writer.bytes
    }

    private func write(_ node: YAMLNode, as typeName: String, to writer: inout ROSWriter) throws(YAMLError) {
        // The definition set is validated: every type exists, and none contains itself.
        for field in definitions.messages[typeName]?.fields ?? [] {
            // A header of ROS 2 has no number.
            if field.name == "seq", typeName == StdMsgs.Header.typeName, node.find("seq") == nil {
                writer.write(UInt32(0))
                continue
            }
            let value = try node.value(field.name)
            switch field.count {
            case .one: try write(value, as: field.element, to: &writer)
            case .any:
                let elements = try value.sequence
                writer.writeCount(elements.count)
                for element in elements { try write(element, as: field.element, to: &writer) }
            case .fixed(let count):
                let elements = try value.sequence
                guard elements.count == count else { throw value.unexpected("a list of \(count)") }
                for element in elements { try write(element, as: field.element, to: &writer) }
            }
        }
    }

    private func write(_ node: YAMLNode, as element: ElementType, to writer: inout ROSWriter) throws(YAMLError) {
        switch element {
        case .message(let name): try write(node, as: name, to: &writer)
        case .builtin(let type):
            switch type {
            case .bool: writer.write(try node.bool)
            case .int8, .byte: writer.write(try node.exact(Int8.self))
            case .uint8, .char: writer.write(try node.exact(UInt8.self))
            case .int16: writer.write(try node.exact(Int16.self))
            case .uint16: writer.write(try node.exact(UInt16.self))
            case .int32: writer.write(try node.exact(Int32.self))
            case .uint32: writer.write(try node.exact(UInt32.self))
            case .int64: writer.write(try node.exact(Int64.self))
            case .uint64: writer.write(try node.exact(UInt64.self))
            case .float32: writer.write(Float(try node.double))
            case .float64: writer.write(try node.double)
            case .string: writer.write(node.isNull ? "" : try node.string)
            case .time:
                writer.write(try node.part("secs", "sec").exact(UInt32.self))
                writer.write(try node.part("nsecs", "nanosec").exact(UInt32.self))
            case .duration:
                writer.write(try node.part("secs", "sec").exact(Int32.self))
                writer.write(try node.part("nsecs", "nanosec").exact(Int32.self))
            }
        }
    }
}

extension YAMLNode {
    /// A part of a time, which has another name in ROS 2.
    fileprivate func part(_ one: String, _ two: String) throws(YAMLError) -> YAMLNode {
        if let part = find(two) { return part }
        return try value(one)
    }

    fileprivate func exact<Value: FixedWidthInteger>(_ type: Value.Type) throws(YAMLError) -> Value {
        guard let value = Value(exactly: try int) else {
            throw unexpected("a whole number from \(Value.min) to \(Value.max)")
        }
        return value
    }
}
