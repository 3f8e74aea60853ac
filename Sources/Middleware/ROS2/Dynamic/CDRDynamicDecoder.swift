public import ROSDefinitions
public import ROSMessages

/// Decodes messages of any type by its description, which comes from the node that has it or from a recording.
public struct CDRDynamicDecoder: Sendable {
    /// The most values in one message; a message with more, such as an image that is not an array of bytes, is rejected to
    /// bound the memory.
    public static let maximumValues = DynamicDecoder.maximumValues
    /// The deepest nesting of messages.
    public static let maximumDepth = InterfaceSet.maximumDepth

    /// What is decoded.
    public let description: TypeDescription
    private let records: [Record]

    private struct Record {
        struct Field {
            let name: String
            let element: Element
            let count: FieldShape.Count
        }
        enum Element {
            case builtin(BuiltinType)
            case record(Int)
        }
        var fields: [Field] = []
        /// Whether it stands for a type without fields.
        var isEmpty = false
    }

    /// Creates a decoder.
    ///
    /// - Throws: ``InterfaceError`` when a type is missing or contains itself, or a field has a type that ROS 2 nodes do not send:
    ///   wide and fixed strings.
    public init(_ description: TypeDescription) throws(InterfaceError) {
        var places: [String: Int] = [:]
        let types = [description.type] + description.referenced
        for (place, type) in types.enumerated() { places[type.typeName] = place }
        var records: [Record] = []
        for type in types {
            var record = Record(isEmpty: type.isEmpty)
            for field in type.fields where !type.isEmpty {
                let element = try Self.element(of: field, in: type.typeName, places: places)
                record.fields.append(.init(name: field.name, element: element, count: field.type.count))
            }
            records.append(record)
        }
        self.description = description
        self.records = records
        var depths: [Int: Int] = [:]
        guard let depth = depth(of: 0, within: Self.maximumDepth, known: &depths), depth <= Self.maximumDepth else {
            throw InterfaceError(
                "it contains itself, or is nested deeper than \(Self.maximumDepth)", in: description.type.typeName)
        }
    }

    private static func element(
        of field: IndividualTypeDescription.Field, in typeName: String, places: [String: Int]
    ) throws(InterfaceError) -> Record.Element {
        switch field.type.element {
        case .nested(TypeDescription.time.typeName): return .builtin(.time)
        case .nested("builtin_interfaces/msg/Duration"): return .builtin(.duration)
        case .nested(let name):
            guard let place = places[name] else { throw InterfaceError("its description is missing", in: name) }
            return .record(place)
        case .boundedString: return .builtin(.string)
        case .builtin(let builtin):
            let types: [FieldShape.Builtin: BuiltinType] = [
                .bool: .bool, .byte: .uint8, .char: .uint8, .uint8: .uint8, .int8: .int8, .int16: .int16,
                .uint16: .uint16, .int32: .int32, .uint32: .uint32, .int64: .int64, .uint64: .uint64,
                .float32: .float32, .float64: .float64, .string: .string,
            ]
            guard let type = types[builtin] else {
                throw InterfaceError("field '\(field.name)' is a '\(builtin)', which is not read", in: typeName)
            }
            return .builtin(type)
        }
    }

    /// How deep messages are nested in a record; `nil` when deeper than allowed.
    private func depth(of place: Int, within most: Int, known: inout [Int: Int]) -> Int? {
        if let depth = known[place] { return depth }
        guard most > 0 else { return nil }
        var deepest = 0
        for case .record(let inner) in records[place].fields.map(\.element) {
            guard let depth = depth(of: inner, within: most - 1, known: &known) else { return nil }
            deepest = max(deepest, depth)
        }
        known[place] = deepest + 1
        return deepest + 1
    }

    /// Decodes one message with its header.
    ///
    /// - Returns: the message, and its size in bytes.
    /// - Throws: `ROSDecodingError` when the bytes end too early, a length is impossible, or there are too many values.
    public func decode(_ bytes: [UInt8]) throws(ROSDecodingError) -> (value: DynamicValue, size: Int) {
        var reader = try CDRReader(bytes)
        var budget = Self.maximumValues
        let value = try record(0, from: &reader, budget: &budget)
        return (value, reader.offset)
    }

    private func record(
        _ place: Int, from reader: inout CDRReader, budget: inout Int
    ) throws(ROSDecodingError) -> DynamicValue {
        if records[place].isEmpty { try reader.readNoFields() }
        var fields: [DynamicValue.Field] = []
        fields.reserveCapacity(records[place].fields.count)
        for field in records[place].fields {
            let value = try value(of: field, from: &reader, budget: &budget)
            fields.append(DynamicValue.Field(name: field.name, value: value))
        }
        return .record(fields)
    }

    private func value(
        of field: Record.Field, from reader: inout CDRReader, budget: inout Int
    ) throws(ROSDecodingError) -> DynamicValue {
        let count: Int
        switch field.count {
        case .one:
            try pay(for: 1, from: &budget, at: reader.offset)
            return try element(field.element, from: &reader, budget: &budget)
        case .array(let fixed): count = Int(clamping: fixed)
        case .boundedSequence(let bound):
            count = try reader.readCount(minimumElementSize: 1, atMost: Int(clamping: bound))
        case .sequence: count = try reader.readCount(minimumElementSize: 1)
        }
        if case .builtin(.uint8) = field.element { return .bytes(try reader.readArray(count: count)) }
        // Checked before the array is allocated, so that nested arrays share one bound; each element takes a byte at least.
        try pay(for: count, from: &budget, at: reader.offset)
        var elements: [DynamicValue] = []
        elements.reserveCapacity(min(count, reader.remaining))
        for _ in 0..<count { elements.append(try element(field.element, from: &reader, budget: &budget)) }
        return .list(elements)
    }

    private func element(
        _ element: Record.Element, from reader: inout CDRReader, budget: inout Int
    ) throws(ROSDecodingError) -> DynamicValue {
        switch element {
        case .record(let place): try record(place, from: &reader, budget: &budget)
        case .builtin(let type): try reader.readValue(type)
        }
    }

    private func pay(for count: Int, from budget: inout Int, at offset: Int) throws(ROSDecodingError) {
        guard count <= budget else {
            throw ROSDecodingError("more than \(Self.maximumValues) values in one message", at: offset)
        }
        budget -= count
    }
}

extension CDRReader {
    /// Reads one value of a built-in type.
    ///
    /// - Throws: `ROSDecodingError` when the bytes end too early.
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
