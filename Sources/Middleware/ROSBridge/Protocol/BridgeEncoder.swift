package import ReportKit
internal import ROSDefinitions
package import ROSMessages

/// Writes messages of one type as rosbridge has them: an object by the names of fields, times as `secs` and `nsecs`, bytes in Base64,
/// and `null` for what is no number.
package struct BridgeEncoder: Sendable {
    /// `package/Name`.
    package let typeName: String
    private let decoder: DynamicDecoder

    /// - Throws: ``ROSBridgeError`` with `invalidValue` if the definition of the type is wrong.
    package init(_ type: any ROSMessage.Type) throws(ROSBridgeError) {
        typeName = type.typeName
        do throws(DefinitionError) {
            decoder = try DynamicDecoder(typeName: type.typeName, definition: type.definition)
        } catch {
            throw ROSBridgeError(.invalidValue, "the definition of \(type.typeName) is wrong: \(error)")
        }
    }

    /// A message of that type.
    ///
    /// - Throws: ``ROSBridgeError`` with `invalidValue` if it is of another type.
    package func json(_ message: some ROSMessage) throws(ROSBridgeError) -> JSONValue {
        do throws(ROSDecodingError) {
            return Self.json(try decoder.decode(message.serialised).value)
        } catch {
            throw ROSBridgeError(.invalidValue, "not a message of \(typeName): \(error)")
        }
    }

    private static func json(_ value: DynamicValue) -> JSONValue {
        switch value {
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .integer(integer)
        case .unsigned(let integer): JSONValue(integer)
        case .real(let number): .number(number)
        case .text(let text): .string(text)
        case .time(let time): ["secs": JSONValue(time.seconds), "nsecs": JSONValue(time.nanoseconds)]
        case .duration(let length): ["secs": JSONValue(length.seconds), "nsecs": JSONValue(length.nanoseconds)]
        case .bytes(let bytes): .string(Base64.encode(bytes))
        case .list(let elements): .array(elements.map(json))
        case .record(let fields): .object(fields.map { .init($0.name, json($0.value)) })
        }
    }
}
