/// A value as XML-RPC knows it: what parameters and the answers of master and nodes are made of.
public enum XMLRPCValue: Hashable, Sendable {
    /// `int`, `i4` or `i8`.
    case int(Int)
    /// `boolean`.
    case bool(Bool)
    /// `double`.
    case double(Double)
    /// `string`.
    case string(String)
    /// `dateTime.iso8601`, as it stands.
    case dateTime(String)
    /// `base64`, decoded.
    case binary([UInt8])
    /// `array`.
    case array([XMLRPCValue])
    /// `struct`.
    case structure([String: XMLRPCValue])

    /// The number, when it is an `int`.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }

    /// The truth, when it is a `boolean`, or an `int` of 0 or 1 (`roscpp` sends those).
    public var boolValue: Bool? {
        switch self {
        case .bool(let value): value
        case .int(0): false
        case .int(1): true
        default: nil
        }
    }

    /// The number, when it is a `double` or an `int`.
    public var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    /// The text, when it is a `string`.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, when it is an `array`.
    public var arrayValue: [XMLRPCValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, when it is a `struct`.
    public var structureValue: [String: XMLRPCValue]? { if case .structure(let value) = self { value } else { nil } }

    /// The texts, when it is an `array` of nothing but `string`.
    var stringsValue: [String]? {
        guard let elements = arrayValue else { return nil }
        let strings = elements.compactMap(\.stringValue)
        return strings.count == elements.count ? strings : nil
    }

    /// What kind of value it is, for messages about the wrong one.
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

/// `methodCall`: what one end asks of the other.
public struct XMLRPCCall: Hashable, Sendable {
    /// The method's name.
    public var method: String
    /// Its arguments.
    public var parameters: [XMLRPCValue]

    /// A call.
    public init(_ method: String, _ parameters: [XMLRPCValue] = []) {
        self.method = method
        self.parameters = parameters
    }
}

/// `methodResponse`: what came back.
public enum XMLRPCResponse: Hashable, Sendable {
    /// The one value.
    case value(XMLRPCValue)
    /// The method could not be run at all.
    case fault(code: Int, text: String)
}
