import FuzzKit
import ROSDefinitions

/// Any text as a definition out of a connection header, and then any bytes as a message of that type; the two are
/// parted by the first byte 0.
@main enum FuzzDefinition: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        _ = try? ServiceDefinition(typeName: "p/S", text: text)
        guard let set = try? DefinitionSet(fullText: text, typeName: "p/A") else { return }
        _ = try? set.md5(of: "p/A")
        if let full = try? set.fullText(of: "p/A") {
            let again = try? DefinitionSet(fullText: full, typeName: "p/A")
            precondition((try? again?.md5(of: "p/A")) == (try? set.md5(of: "p/A")), "the full text means another type")
        }
        guard let decoder = try? DynamicDecoder(typeName: "p/A", definition: text) else { return }
        _ = try? decoder.decode(Array(bytes[end...].dropFirst()))
    }
}
