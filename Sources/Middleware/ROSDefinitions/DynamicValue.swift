public import ROSMessages

/// A value of a message whose type is not known at compile time.
public indirect enum DynamicValue: Hashable, Sendable {
    /// `bool`.
    case bool(Bool)
    /// A signed integer of any width.
    case integer(Int64)
    /// An unsigned integer of any width.
    case unsigned(UInt64)
    /// `float32` or `float64`.
    case real(Double)
    /// `string`.
    case text(String)
    /// `time`.
    case time(ROSTime)
    /// `duration`.
    case duration(ROSDuration)
    /// An array of `uint8` or `char`.
    case bytes([UInt8])
    /// Any other array.
    case list([DynamicValue])
    /// A message.
    case record([Field])

    /// One field of a message.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public let name: String
        /// Its value.
        public let value: DynamicValue

        /// Creates a field.
        public init(name: String, value: DynamicValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value at a path such as `tracker_status.have_goal` or `points[3].position.x`; `nil` when there is none.
    public subscript(path: String) -> DynamicValue? {
        var value = self
        for step in path.split(whereSeparator: { $0 == "." || $0 == "[" }) {
            if step.hasSuffix("]") {
                guard let index = Int(step.dropLast()), let element = value.element(at: index) else { return nil }
                value = element
            } else {
                guard case .record(let fields) = value, let field = fields.first(where: { $0.name == step }) else {
                    return nil
                }
                value = field.value
            }
        }
        return value
    }

    private func element(at index: Int) -> DynamicValue? {
        switch self {
        case .list(let elements): elements.indices.contains(index) ? elements[index] : nil
        case .bytes(let bytes): bytes.indices.contains(index) ? .unsigned(UInt64(bytes[index])) : nil
        default: nil
        }
    }

    /// The value as a number; `nil` for other types.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value
        case .bool(let value): value ? 1 : 0
        case .time(let value): Double(value.seconds) + Double(value.nanoseconds) / 1e9
        case .duration(let value): Double(value.seconds) + Double(value.nanoseconds) / 1e9
        case .text, .bytes, .list, .record: nil
        }
    }
}
