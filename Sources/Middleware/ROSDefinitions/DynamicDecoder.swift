public import ROSMessages

/// Decodes messages of any type by its definition, which comes from a connection header or a bag.
public struct DynamicDecoder: Sendable {
    /// The most values in one message; a message with more, such as an image that is not an array of bytes, is rejected to
    /// bound the memory.
    public static let maximumValues = 2_000_000

    /// `package/Name`.
    public let typeName: String
    /// The MD5 sum computed from the definition.
    public let md5: String
    let records: [Record]

    struct Record {
        struct Field {
            let name: String
            let element: Element
            let count: FieldCount
        }
        enum Element {
            case builtin(BuiltinType)
            case record(Int)
        }
        var fields: [Field] = []
        var minimumSize = 0
        /// Whether every message of the type has that size: it contains no string and no variable array.
        var isFixed = false
    }

    /// Creates a decoder of a type.
    ///
    /// - Parameter definition: the full text, with all dependencies of the type.
    /// - Throws: ``DefinitionError`` when the text is invalid or incomplete, or a type contains itself.
    public init(typeName: String, definition: String) throws(DefinitionError) {
        let definitions = try DefinitionSet(fullText: definition, typeName: typeName)
        let names = [typeName] + (try definitions.dependencies(of: typeName))
        var places: [String: Int] = [:]
        for (place, name) in names.enumerated() where places[name] == nil { places[name] = place }
        let sizes = try definitions.minimumSizes(of: typeName)
        var records = try names.map { name throws(DefinitionError) in
            let fields = try definitions.definition(of: name).fields.map { field throws(DefinitionError) in
                let element: Record.Element
                switch field.element {
                case .builtin(let type): element = .builtin(type)
                case .message(let name):
                    guard let place = places[name] else {
                        throw DefinitionError("its definition is missing", in: name)
                    }
                    element = .record(place)
                }
                return Record.Field(name: field.name, element: element, count: field.count)
            }
            return Record(fields: fields, minimumSize: sizes[name] ?? 0)
        }
        // A type is fixed when all its fields are; each pass finds those one level higher.
        var isChanged = true
        while isChanged {
            isChanged = false
            for place in records.indices where !records[place].isFixed {
                let isFixed = records[place].fields.allSatisfy { field in
                    if case .any = field.count { return false }
                    switch field.element {
                    case .builtin(let type): return type != .string
                    case .record(let inner): return records[inner].isFixed
                    }
                }
                if isFixed { (records[place].isFixed, isChanged) = (true, true) }
            }
        }
        self.records = records
        self.typeName = typeName
        md5 = try definitions.md5(of: typeName)
    }

    /// Decodes one message.
    ///
    /// - Returns: the message, and its size in bytes.
    /// - Throws: ``ROSDecodingError`` when the bytes end too early, a length is impossible, or there are too many values.
    public func decode(_ bytes: [UInt8]) throws(ROSDecodingError) -> (value: DynamicValue, size: Int) {
        var reader = ROSReader(bytes)
        var budget = Self.maximumValues
        let value = try record(0, from: &reader, budget: &budget)
        return (value, reader.offset)
    }

    private func record(
        _ place: Int, from reader: inout ROSReader, budget: inout Int
    ) throws(ROSDecodingError) -> DynamicValue {
        var fields: [DynamicValue.Field] = []
        fields.reserveCapacity(records[place].fields.count)
        for field in records[place].fields {
            let value = try value(of: field, from: &reader, budget: &budget)
            fields.append(DynamicValue.Field(name: field.name, value: value))
        }
        return .record(fields)
    }

    private func value(
        of field: Record.Field, from reader: inout ROSReader, budget: inout Int
    ) throws(ROSDecodingError) -> DynamicValue {
        switch field.count {
        case .one:
            try pay(for: 1, from: &budget, at: reader.offset)
            return try element(field.element, from: &reader, budget: &budget)
        case .any, .fixed:
            let count: Int
            if case .fixed(let fixed) = field.count {
                count = fixed
            } else {
                count = try reader.readCount(minimumElementSize: minimumSize(of: field.element))
            }
            if case .builtin(let type) = field.element, type == .uint8 || type == .char {
                return .bytes(try reader.readArray(count: count))
            }
            // Checked before the array is allocated, so that nested arrays share one bound.
            try pay(for: count, from: &budget, at: reader.offset)
            var elements: [DynamicValue] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(try element(field.element, from: &reader, budget: &budget)) }
            return .list(elements)
        }
    }

    private func minimumSize(of element: Record.Element) -> Int {
        switch element {
        case .builtin(let type): type.minimumSize
        case .record(let place): records[place].minimumSize
        }
    }

    private func element(
        _ element: Record.Element, from reader: inout ROSReader, budget: inout Int
    ) throws(ROSDecodingError) -> DynamicValue {
        switch element {
        case .record(let place): return try record(place, from: &reader, budget: &budget)
        case .builtin(let type):
            return try reader.readValue(type)
        }
    }

    private func pay(for count: Int, from budget: inout Int, at offset: Int) throws(ROSDecodingError) {
        guard count <= budget else {
            throw ROSDecodingError("more than \(Self.maximumValues) values in one message", at: offset)
        }
        budget -= count
    }
}

extension ROSReader {
    /// Reads one value of a built-in type.
    ///
    /// - Throws: ``ROSDecodingError`` when the bytes end too early.
    mutating func readValue(_ type: BuiltinType) throws(ROSDecodingError) -> DynamicValue {
        switch type {
        case .bool: .bool(try readBool())
        case .int8, .byte: .integer(Int64(try readInt8()))
        case .uint8, .char: .unsigned(UInt64(try readUInt8()))
        case .int16: .integer(Int64(try readInt16()))
        case .uint16: .unsigned(UInt64(try readUInt16()))
        case .int32: .integer(Int64(try readInt32()))
        case .uint32: .unsigned(UInt64(try readUInt32()))
        case .int64: .integer(try readInt64())
        case .uint64: .unsigned(try readUInt64())
        case .float32: .real(Double(try readFloat32()))
        case .float64: .real(try readFloat64())
        case .string: .text(try readString())
        case .time: .time(try readTime())
        case .duration: .duration(try readDuration())
        }
    }
}
