package import ROSDefinitions
internal import ROSMessages

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension TopicReading {
    /// How much of a message is decoded.
    static let limits = MessagePreview.Limits(
        fields: TopicLimits.fields, elements: TopicLimits.elements, textBytes: TopicLimits.characters)

    init(_ preview: MessagePreview, type: String, hertz: Double?) {
        self.init(
            type: type,
            fields: preview.fields.map { field in
                switch field.content {
                case .value(let value):
                    TopicField(
                        path: field.path, value: FieldText.words(value, isDegrees: FieldText.isDegrees(field.path)))
                case .array(let count):
                    TopicField(path: field.path, value: count == 1 ? "1 element" : "\(count) elements")
                }
            }, isShortened: preview.isShortened, hertz: hertz)
    }
}

/// Formats the field values of messages as text.
package enum FieldText {
    /// Whether a field is a latitude or longitude, by its name.
    package static func isDegrees(_ path: String) -> Bool {
        ["latitude", "longitude", "lat", "lon"].contains(path.split(separator: ".").last.map { $0.lowercased() } ?? "")
    }

    /// A built-in value; nothing of one that has parts.
    package static func words(_ value: DynamicValue, isDegrees: Bool = false) -> String {
        switch value {
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .real(let value): real(value, leastDecimals: isDegrees ? degreeDecimals : otherDecimals)
        case .text(let text): text
        case .time(let time): "\(time.seconds).\(thousandths(Int(clamping: time.nanoseconds))) s"
        case .duration(let duration):
            "\(real(Double(duration.seconds) + Double(duration.nanoseconds) / 1e9)) s"
        // A preview contains none of these.
        case .bytes, .list, .record: ""
        }
    }

    private static func thousandths(_ nanoseconds: Int) -> String {
        let text = "\(nanoseconds / 1_000_000)"
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }

    /// 1e-7 degrees are a centimetre on the ground.
    static let degreeDecimals = 7
    /// A millimetre, a millisecond: also of large numbers, as coordinates of a grid and stamps are.
    static let otherDecimals = 3

    /// Seven significant digits, the precision of a `float32`, and no less than these decimals; no trailing zeros.
    static func real(_ value: Double, leastDecimals: Int = otherDecimals) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
        // Of a float32 no more than the digits that tell it from its neighbours: what follows comes from the conversion.
        let single = Float(value)
        let given = Double(single) == value && value.rounded() != value ? Double(single.description) ?? value : value
        let decimals = max(6 - log10(abs(given)).rounded(.down), Double(leastDecimals))
        let scale = pow(10, decimals)
        let short = scale.isFinite && scale > 0 ? (given * scale).rounded() / scale : given
        let text = (short.isFinite ? short : given).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
