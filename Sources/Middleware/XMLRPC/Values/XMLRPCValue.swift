/// An XML-RPC value.
public enum XMLRPCValue: Hashable, Sendable {
    /// `int`, `i4` or `i8`.
    case int(Int)
    /// `boolean`.
    case bool(Bool)
    /// `double`.
    case double(Double)
    /// `string`.
    case string(String)
    /// `dateTime.iso8601`, unparsed.
    case dateTime(String)
    /// `base64`, decoded.
    case binary([UInt8])
    /// `array`.
    case array([XMLRPCValue])
    /// `struct`.
    case structure([String: XMLRPCValue])

    /// The number of an `int`; else `nil`.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }

    /// The value of a `boolean`, or of an `int` that is 0 or 1 (some libraries send those); else `nil`.
    public var boolValue: Bool? {
        switch self {
        case .bool(let value): value
        case .int(0): false
        case .int(1): true
        default: nil
        }
    }

    /// The text of a `string`; else `nil`.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements of an `array`; else `nil`.
    public var arrayValue: [XMLRPCValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members of a `struct`; else `nil`.
    public var structureValue: [String: XMLRPCValue]? { if case .structure(let value) = self { value } else { nil } }

    /// The texts of an `array` that has only `string` elements; else `nil`.
    package var stringsValue: [String]? {
        guard let elements = arrayValue else { return nil }
        let strings = elements.compactMap(\.stringValue)
        return strings.count == elements.count ? strings : nil
    }

    /// The name of the type, for error messages.
    public var kind: String {
        switch self {
        case .int: "an int"
        case .bool: "a boolean"
        case .double: "a double"
        case .string: "a string"
        case .dateTime: "a date"
        case .binary: "base64"
        case .array: "an array"
        case .structure: "a struct"
        }
    }
}

/// `methodCall`: a remote procedure call.
public struct XMLRPCCall: Hashable, Sendable {
    /// The method's name.
    public var method: String
    /// Its arguments.
    public var parameters: [XMLRPCValue]

    /// Creates a call.
    public init(_ method: String, _ parameters: [XMLRPCValue] = []) {
        self.method = method
        self.parameters = parameters
    }
}

/// `methodResponse`: the result of a call.
public enum XMLRPCResponse: Hashable, Sendable {
    /// The returned value.
    case value(XMLRPCValue)
    /// The call failed at the protocol level.
    case fault(code: Int, text: String)
}
