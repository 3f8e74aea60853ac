import FuzzKit
import MRSMessages
import ROSDefinitions
import ROSMessages

/// Any bytes as any message: the first chooses the type. What is read is written to bytes that read as the same again,
/// and the decoder that works by the definition takes as many bytes as the generated one, or refuses with it.
@main enum FuzzROSMessage: FuzzTarget {
    private static let decoders = GeneratedTypes.messages.map { type in
        try? DynamicDecoder(typeName: type.typeName, definition: type.definition)
    }

    static func test(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let index = Int(choice) % GeneratedTypes.messages.count
        check(GeneratedTypes.messages[index], Array(bytes.dropFirst()), decoders[index])
    }

    private static func check(_ type: (some ROSMessage).Type, _ bytes: [UInt8], _ decoder: DynamicDecoder?) {
        guard let decoder else { preconditionFailure("the definition of \(type.typeName) is wrong") }
        var reader = ROSReader(bytes)
        let dynamic = try? decoder.decode(bytes)
        let limits = MessagePreview.Limits(fields: 40, elements: 3, textBytes: 20)
        let preview = try? decoder.preview(of: bytes, range: bytes.indices, limits: limits)
        precondition((preview?.fields.count ?? 0) <= limits.fields, "a preview of a \(type.typeName) is too long")
        precondition(dynamic == nil || preview != nil, "a \(type.typeName) has no preview")
        guard let message = try? type.init(from: &reader) else {
            precondition(dynamic == nil, "only one decoder takes a \(type.typeName)")
            return
        }
        precondition(dynamic?.size == reader.offset, "two decoders take different sizes of a \(type.typeName)")
        // Repaired text and booleans that were neither 0 nor 1 are written otherwise; what is written stays as it is.
        let written = message.serialised
        let again = (try? type.init(serialised: written))?.serialised
        precondition(again == written, "a \(type.typeName) changes when it is written again")
    }
}
