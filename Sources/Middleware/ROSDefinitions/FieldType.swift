/// A built-in type of ROS 1.
public enum BuiltinType: String, Sendable, CaseIterable {
    /// One byte, 0 or 1.
    case bool
    /// Signed, 8 bits.
    case int8
    /// Unsigned, 8 bits.
    case uint8
    /// Signed, 16 bits.
    case int16
    /// Unsigned, 16 bits.
    case uint16
    /// Signed, 32 bits.
    case int32
    /// Unsigned, 32 bits.
    case uint32
    /// Signed, 64 bits.
    case int64
    /// Unsigned, 64 bits.
    case uint64
    /// IEEE 754, 32 bits.
    case float32
    /// IEEE 754, 64 bits.
    case float64
    /// Length and bytes.
    case string
    /// Two `uint32`: seconds and nanoseconds.
    case time
    /// Two `int32`: seconds and nanoseconds.
    case duration
    /// A deprecated alias of `int8`.
    case byte
    /// A deprecated alias of `uint8`.
    case char

    /// The smallest size of a value in bytes; the exact size for all types but `string`.
    public var minimumSize: Int {
        switch self {
        case .bool, .int8, .uint8, .byte, .char: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float32, .string: 4
        case .int64, .uint64, .float64, .time, .duration: 8
        }
    }

    /// Whether a constant may have this type.
    var allowsConstants: Bool { self != .time && self != .duration }
}

/// The type of one element of a field.
public enum ElementType: Hashable, Sendable {
    /// A built-in type.
    case builtin(BuiltinType)
    /// A message, by its full name.
    case message(String)
}

/// How many elements a field has.
public enum FieldCount: Hashable, Sendable {
    /// Exactly one.
    case one
    /// As many as the length prefix says: `[]`.
    case any
    /// A fixed number: `[36]`.
    case fixed(Int)
}

/// One field of a message.
public struct FieldDefinition: Hashable, Sendable {
    /// The type of one element.
    public let element: ElementType
    /// The number of elements.
    public let count: FieldCount
    /// The field's name.
    public let name: String
    /// The type as written, which enters the MD5 sum for built-in types.
    let writtenType: String

    /// The field as written, for example `float64[36] covariance`.
    public var writtenForm: String { "\(writtenType) \(name)" }
}

/// One constant of a message.
public struct ConstantDefinition: Hashable, Sendable {
    /// The type.
    public let type: BuiltinType
    /// The name.
    public let name: String
    /// The value as written, without surrounding white space.
    public let value: String
    /// The name as it enters the MD5 sum: ROS keeps the white space around the name of a string constant.
    let md5Name: String
}

/// An error in a message definition, and its position.
public struct DefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type with the invalid definition.
    public let typeName: String
    /// The line, counted from 1; 0 for errors without a line.
    public let line: Int
    /// What is wrong.
    public let what: String

    init(_ what: String, in typeName: String, line: Int = 0) {
        self.what = what
        self.typeName = typeName
        self.line = line
    }

    /// One line.
    public var description: String { line > 0 ? "\(typeName), line \(line): \(what)" : "\(typeName): \(what)" }
}
