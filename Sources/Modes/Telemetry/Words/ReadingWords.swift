internal import ReportKit
internal import UAVLink

extension Reading {
    /// The values with their unit, for display.
    var text: String {
        let numbers = values.map { $0.formatted(decimals: decimals) }.joined(separator: " ")
        return unit.isEmpty ? numbers : "\(numbers) \(unit)"
    }

    /// The name at the beginning of a line.
    var title: String { name.prefix(1).uppercased() + name.dropFirst() }

    /// For scripts.
    var json: JSONValue {
        ["name": .string(name), "values": .array(values.map { .number($0) }), "unit": .string(unit)]
    }
}
