/// A type that ROS 1 knows without a definition.
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
    /// An old name of `int8`.
    case byte
    /// An old name of `uint8`.
    case char

    /// The fewest bytes that a value takes: all of them, except for a string.
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

/// What one element of a field is.
public enum ElementType: Hashable, Sendable {
    /// Built in.
    case builtin(BuiltinType)
    /// A message, by its full name.
    case message(String)
}

/// How many elements a field has.
public enum FieldCount: Hashable, Sendable {
    /// Exactly one.
    case one
    /// As many as the length before it says: `[]`.
    case any
    /// A fixed number: `[36]`.
    case fixed(Int)
}

/// One field of a message.
public struct FieldDefinition: Hashable, Sendable {
    /// What one element is.
    public let element: ElementType
    /// How many there are.
    public let count: FieldCount
    /// The field's name.
    public let name: String
    /// The type as it stood in the text, which is what goes into the MD5 sum of built-in types.
    let writtenType: String

    /// The field as it stood in the text, for example `float64[36] covariance`.
    public var writtenForm: String { "\(writtenType) \(name)" }
}

/// One constant of a message.
public struct ConstantDefinition: Hashable, Sendable {
    /// The type.
    public let type: BuiltinType
    /// The name.
    public let name: String
    /// The value as it stood in the text, without white space around it.
    public let value: String
    /// The name as it goes into the MD5 sum: ROS leaves white space on that of a string constant.
    let summedName: String
}

/// What is wrong with a definition, and where.
public struct DefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type whose definition is wrong.
    public let typeName: String
    /// The line, counted from 1; 0 when it is not about a line.
    public let line: Int
    /// What was found and what was expected.
    public let what: String

    init(_ what: String, in typeName: String, line: Int = 0) {
        self.what = what
        self.typeName = typeName
        self.line = line
    }

    /// One line.
    public var description: String { line > 0 ? "\(typeName), line \(line): \(what)" : "\(typeName): \(what)" }
}
