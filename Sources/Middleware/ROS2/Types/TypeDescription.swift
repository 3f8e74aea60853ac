/// The structure of an interface type with that of all types in it, as `type_description_interfaces/msg/TypeDescription` has it:
/// what is hashed, and what a node answers when it is asked for a definition.
public struct TypeDescription: Hashable, Sendable {
    /// The type.
    public var type: IndividualTypeDescription
    /// All types in it, by name.
    public var referenced: [IndividualTypeDescription]

    /// Creates a description; sorts the types by name and removes what occurs twice.
    public init(type: IndividualTypeDescription, referenced: [IndividualTypeDescription] = []) {
        self.type = type
        var byName: [String: IndividualTypeDescription] = [:]
        for other in referenced where other.typeName != type.typeName { byName[other.typeName] = other }
        // By bytes, as the hash demands.
        self.referenced = byName.values.sorted { $0.typeName.utf8.lexicographicallyPrecedes($1.typeName.utf8) }
    }

    /// The description of a service: a type with request, response and event, of which the latter is what introspection
    /// publishes.
    public init(service typeName: String, request: TypeDescription, response: TypeDescription) {
        func nested(_ name: String, _ typeName: String) -> IndividualTypeDescription.Field {
            .init(name: name, type: FieldShape(.nested(typeName)))
        }
        func sequence(_ name: String, _ typeName: String) -> IndividualTypeDescription.Field {
            .init(name: name, type: FieldShape(.nested(typeName), count: .boundedSequence(1)))
        }
        let (ask, answer) = (request.type.typeName, response.type.typeName)
        let event = IndividualTypeDescription(
            typeName: typeName + "_Event",
            fields: [
                nested("info", Self.eventInfo.typeName), sequence("request", ask), sequence("response", answer),
            ])
        self.init(
            type: IndividualTypeDescription(
                typeName: typeName,
                fields: [
                    nested("request_message", ask), nested("response_message", answer),
                    nested("event_message", event.typeName),
                ]),
            referenced: [event, Self.eventInfo, Self.time, request.type, response.type] + request.referenced
                + response.referenced)
    }

    /// `builtin_interfaces/msg/Time`.
    static let time = IndividualTypeDescription(
        typeName: "builtin_interfaces/msg/Time",
        fields: [
            .init(name: "sec", type: FieldShape(.builtin(.int32))),
            .init(name: "nanosec", type: FieldShape(.builtin(.uint32))),
        ])

    /// `service_msgs/msg/ServiceEventInfo`, a part of every service since Iron.
    static let eventInfo = IndividualTypeDescription(
        typeName: "service_msgs/msg/ServiceEventInfo",
        fields: [
            .init(name: "event_type", type: FieldShape(.builtin(.uint8))),
            .init(name: "stamp", type: FieldShape(.nested(time.typeName))),
            .init(name: "client_gid", type: FieldShape(.builtin(.uint8), count: .array(16))),
            .init(name: "sequence_number", type: FieldShape(.builtin(.int64))),
        ])

    /// The description of a type in it, or of the type itself.
    public subscript(typeName: String) -> IndividualTypeDescription? {
        type.typeName == typeName ? type : referenced.first { $0.typeName == typeName }
    }
}

/// The fields of one type.
public struct IndividualTypeDescription: Hashable, Sendable {
    /// `package/msg/Name`.
    public var typeName: String
    /// The fields in order; one for a type without any, see ``noFields``.
    public var fields: [Field]

    /// Creates a description; a type without fields gets the one that all languages give it.
    public init(typeName: String, fields: [Field]) {
        self.typeName = typeName
        self.fields = fields.isEmpty ? [Self.noFields] : fields
    }

    /// The member of a type without fields.
    public static let noFields = Field(
        name: "structure_needs_at_least_one_member", type: FieldShape(.builtin(.uint8)))

    /// Whether the definition has no fields.
    public var isEmpty: Bool { fields == [Self.noFields] }

    /// One field.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The type.
        public var type: FieldShape
        /// The default as written; empty for none. It is no part of the hash.
        public var defaultValue: String

        /// Creates a field.
        public init(name: String, type: FieldShape, defaultValue: String = "") {
            self.name = name
            self.type = type
            self.defaultValue = defaultValue
        }
    }
}

/// The type of a field: one element's, and how many there are.
public struct FieldShape: Hashable, Sendable, CustomStringConvertible {
    /// A type of the language, by its number in type descriptions.
    public enum Builtin: UInt8, Sendable, CaseIterable {
        // Each as in definitions; the numbers are those of `type_description_interfaces/msg/FieldType`.
        case int8 = 2
        case uint8
        case int16
        case uint16
        case int32
        case uint32
        case int64
        case uint64
        case float32
        case float64
        case longDouble
        case char
        case wchar
        case bool
        case byte
        case string
        case wstring
        case fixedString
        case fixedWString
        case boundedString
        case boundedWString
    }

    /// The type of one element.
    public enum Element: Hashable, Sendable {
        /// A type of the language.
        case builtin(Builtin)
        /// A string of at most so many bytes.
        case boundedString(UInt64)
        /// A message, by its full name.
        case nested(String)
    }

    /// How many elements there are.
    public enum Count: Hashable, Sendable {
        /// Exactly one.
        case one
        /// `[N]`.
        case array(UInt64)
        /// `[<=N]`.
        case boundedSequence(UInt64)
        /// `[]`.
        case sequence
    }

    /// The type of one element.
    public var element: Element
    /// How many elements there are.
    public var count: Count

    /// Creates a type.
    public init(_ element: Element, count: Count = .one) {
        self.element = element
        self.count = count
    }

    private static let nested: UInt8 = 1
    /// What the number of a type grows by for arrays, bounded sequences and sequences.
    private static let (array, boundedSequence, sequence): (UInt8, UInt8, UInt8) = (48, 96, 144)

    /// Creates a type from the numbers of `type_description_interfaces/msg/FieldType`; `nil` when there is no such type.
    public init?(typeID: UInt8, capacity: UInt64, stringCapacity: UInt64, nestedTypeName: String) {
        let base = typeID % Self.array
        switch typeID - base {
        case 0: count = .one
        // An array of nothing takes no bytes: any number of them would fit into a message.
        case Self.array where capacity > 0: count = .array(capacity)
        case Self.boundedSequence: count = .boundedSequence(capacity)
        case Self.sequence: count = .sequence
        default: return nil
        }
        if base == Self.nested {
            guard !nestedTypeName.isEmpty else { return nil }
            element = .nested(nestedTypeName)
        } else if let builtin = Builtin(rawValue: base) {
            element = builtin == .boundedString ? .boundedString(stringCapacity) : .builtin(builtin)
        } else {
            return nil
        }
    }

    /// The number of the type.
    public var typeID: UInt8 {
        let base =
            switch element {
            case .builtin(let builtin): builtin.rawValue
            case .boundedString: Builtin.boundedString.rawValue
            case .nested: Self.nested
            }
        return switch count {
        case .one: base
        case .array: base + Self.array
        case .boundedSequence: base + Self.boundedSequence
        case .sequence: base + Self.sequence
        }
    }

    /// The length of an array, or the bound of a sequence; 0 for none.
    public var capacity: UInt64 {
        switch count {
        case .array(let count), .boundedSequence(let count): count
        case .one, .sequence: 0
        }
    }

    /// The bound of a string; 0 for none.
    public var stringCapacity: UInt64 {
        if case .boundedString(let capacity) = element { capacity } else { 0 }
    }

    /// The full name of the nested type; empty for others.
    public var nestedTypeName: String {
        if case .nested(let name) = element { name } else { "" }
    }

    /// As in a definition: `float64[36]`.
    public var description: String {
        let name =
            switch element {
            case .builtin(let builtin): "\(builtin)"
            case .boundedString(let capacity): "string<=\(capacity)"
            case .nested(let name): name
            }
        return switch count {
        case .one: name
        case .array(let count): "\(name)[\(count)]"
        case .boundedSequence(let bound): "\(name)[<=\(bound)]"
        case .sequence: "\(name)[]"
        }
    }
}
