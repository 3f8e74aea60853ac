/// The value of a parameter.
public enum ParameterContent: Hashable, Sendable {
    /// The node has no such parameter, or no value for it.
    case notSet
    /// `bool`.
    case bool(Bool)
    /// `int64`.
    case integer(Int64)
    /// `float64`.
    case double(Double)
    /// `string`.
    case string(String)
    /// `byte[]`.
    case bytes([UInt8])
    /// `bool[]`.
    case bools([Bool])
    /// `int64[]`.
    case integers([Int64])
    /// `float64[]`.
    case doubles([Double])
    /// `string[]`.
    case strings([String])
}

extension RclInterfaces.ParameterValue {
    /// Creates a message with this value.
    public init(_ content: ParameterContent) {
        self.init()
        switch content {
        case .notSet: type = RclInterfaces.ParameterType.parameterNotSet
        case .bool(let value): (type, boolValue) = (RclInterfaces.ParameterType.parameterBool, value)
        case .integer(let value): (type, integerValue) = (RclInterfaces.ParameterType.parameterInteger, value)
        case .double(let value): (type, doubleValue) = (RclInterfaces.ParameterType.parameterDouble, value)
        case .string(let value): (type, stringValue) = (RclInterfaces.ParameterType.parameterString, value)
        case .bytes(let values): (type, byteArrayValue) = (RclInterfaces.ParameterType.parameterByteArray, values)
        case .bools(let values): (type, boolArrayValue) = (RclInterfaces.ParameterType.parameterBoolArray, values)
        case .integers(let values):
            (type, integerArrayValue) = (RclInterfaces.ParameterType.parameterIntegerArray, values)
        case .doubles(let values):
            (type, doubleArrayValue) = (RclInterfaces.ParameterType.parameterDoubleArray, values)
        case .strings(let values):
            (type, stringArrayValue) = (RclInterfaces.ParameterType.parameterStringArray, values)
        }
    }

    /// The value; `nil` for a type that does not exist.
    public var content: ParameterContent? {
        switch type {
        case RclInterfaces.ParameterType.parameterNotSet: .notSet
        case RclInterfaces.ParameterType.parameterBool: .bool(boolValue)
        case RclInterfaces.ParameterType.parameterInteger: .integer(integerValue)
        case RclInterfaces.ParameterType.parameterDouble: .double(doubleValue)
        case RclInterfaces.ParameterType.parameterString: .string(stringValue)
        case RclInterfaces.ParameterType.parameterByteArray: .bytes(byteArrayValue)
        case RclInterfaces.ParameterType.parameterBoolArray: .bools(boolArrayValue)
        case RclInterfaces.ParameterType.parameterIntegerArray: .integers(integerArrayValue)
        case RclInterfaces.ParameterType.parameterDoubleArray: .doubles(doubleArrayValue)
        case RclInterfaces.ParameterType.parameterStringArray: .strings(stringArrayValue)
        default: nil
        }
    }
}
