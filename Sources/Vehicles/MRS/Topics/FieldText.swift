internal import ROSDefinitions
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
                case .value(let value): TopicField(path: field.path, value: FieldText.words(value))
                case .array(let count):
                    TopicField(path: field.path, value: count == 1 ? "1 element" : "\(count) elements")
                }
            }, isShortened: preview.isShortened, hertz: hertz)
    }
}

/// Formats the field values of messages as text.
enum FieldText {
    static func words(_ value: DynamicValue) -> String {
        switch value {
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .real(let value): real(value)
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

    /// Seven significant digits: the precision of a `float32`.
    static func real(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
        let scale = pow(10, 6 - log10(abs(value)).rounded(.down))
        let short = scale.isFinite && scale > 0 ? (value * scale).rounded() / scale : value
        let text = (short.isFinite ? short : value).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
