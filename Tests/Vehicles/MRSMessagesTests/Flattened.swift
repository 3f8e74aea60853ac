import ROSDefinitions
import ROSMessages

/// A message as paths and values, both written so that Swift's and Python's can be compared.
enum Flattened {
    /// A generated message by its properties. Names are compared without underscores and capitals.
    static func values(of message: some ROSMessage) -> [[String]] {
        var out: [[String]] = []
        flatten("", message, into: &out)
        return out
    }

    /// A message that was decoded by its definition.
    static func values(of value: DynamicValue) -> [[String]] {
        var out: [[String]] = []
        flatten("", value, into: &out)
        return out
    }

    /// A path as it is compared.
    static func path(_ path: String) -> String { path.lowercased().filter { $0 != "_" } }

    private static func flatten(_ path: String, _ value: Any, into out: inout [[String]]) {
        switch value {
        case let value as Bool: out.append([path, value ? "1" : "0"])
        case let value as any FixedWidthInteger: out.append([path, "\(value)"])
        case let value as Double: out.append([path, "\(value.bitPattern)"])
        case let value as Float: out.append([path, "\(Double(value).bitPattern)"])
        case let value as String: out.append([path, hexadecimal(value.utf8)])
        case let value as ROSTime: out.append([path, "\(value.seconds).\(value.nanoseconds)"])
        case let value as ROSDuration: out.append([path, "\(value.seconds).\(value.nanoseconds)"])
        case let value as [Any]:
            out.append([path + ".count", "\(value.count)"])
            for (index, element) in value.enumerated() { flatten("\(path)[\(index)]", element, into: &out) }
        default:
            for child in Mirror(reflecting: value).children {
                flatten("\(path).\(Flattened.path(child.label ?? ""))", child.value, into: &out)
            }
        }
    }

    private static func flatten(_ path: String, _ value: DynamicValue, into out: inout [[String]]) {
        switch value {
        case .bool(let value): out.append([path, value ? "1" : "0"])
        case .integer(let value): out.append([path, "\(value)"])
        case .unsigned(let value): out.append([path, "\(value)"])
        case .real(let value): out.append([path, "\(value.bitPattern)"])
        case .text(let value): out.append([path, hexadecimal(value.utf8)])
        case .time(let value): out.append([path, "\(value.seconds).\(value.nanoseconds)"])
        case .duration(let value): out.append([path, "\(value.seconds).\(value.nanoseconds)"])
        case .bytes(let bytes):
            out.append([path + ".count", "\(bytes.count)"])
            for (index, byte) in bytes.enumerated() { out.append(["\(path)[\(index)]", "\(byte)"]) }
        case .list(let elements):
            out.append([path + ".count", "\(elements.count)"])
            for (index, element) in elements.enumerated() { flatten("\(path)[\(index)]", element, into: &out) }
        case .record(let fields):
            for field in fields { flatten("\(path).\(field.name)", field.value, into: &out) }
        }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension [UInt8] {
    /// The bytes that these hexadecimal digits write.
    init(hexadecimal: String) {
        let digits = hexadecimal.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
