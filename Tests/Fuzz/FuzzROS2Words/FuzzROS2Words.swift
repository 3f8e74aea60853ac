import FuzzKit
import ROS2

/// Any text as a liveliness token, a key, a name, a quality, a hash and a definition, and any bytes as an attachment: what is read is
/// written as it was, or reads as the same again.
@main enum FuzzROS2Words: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        if let attachment = MessageAttachment(bytes) {
            precondition(attachment.bytes.count == MessageAttachment.size, "an attachment has another size")
            precondition(MessageAttachment(attachment.bytes) == attachment, "an attachment is not read back")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var graph = ROS2Graph()
        for line in text.split(separator: "\n") { check(String(line), &graph) }
        if let set = try? InterfaceSet(fullText: text, typeName: "a/msg/A") { check(set) }
    }

    private static func check(_ line: String, _ graph: inout ROS2Graph) {
        if let token = try? LivelinessToken(line) {
            precondition((try? LivelinessToken(token.text)) == token, "a token is not read back")
            precondition(token.text.utf8.count <= LivelinessToken.maximumLength, "a token has become longer")
        }
        if let token = graph.insert(line) {
            if let name = token.endpoint?.name, let role = token.endpoint?.role {
                precondition(graph.endpoints(role, of: name).contains(token), "an endpoint is not found")
            }
            graph.remove(line)
            precondition(graph.count == 0 && graph.topics.isEmpty && graph.services.isEmpty, "a token is left")
        }
        if let key = ROS2Key(line) { precondition(ROS2Key(key.text) == key, "a key is not read back") }
        if let hash = TypeHash(line) { precondition(hash.text == line, "a hash is written otherwise") }
        if let name = ROS2TypeName(line) {
            precondition(ROS2TypeName(dds: name.ddsName) == name, "a type is not read back")
        }
        if let name = ROS2TypeName(dds: line) {
            precondition(ROS2TypeName(name.text) == name, "a type is not read back")
        }
        if let quality = QualityOfService(line) {
            precondition(QualityOfService(quality.text) == quality, "a quality is not read back")
        }
    }

    private static func check(_ set: InterfaceSet) {
        guard let description = try? set.description(of: "a/msg/A"), let text = try? set.fullText(of: "a/msg/A") else {
            return
        }
        let again = (try? InterfaceSet(fullText: text, typeName: "a/msg/A")).flatMap {
            try? $0.description(of: "a/msg/A")
        }
        precondition(again?.hash == description.hash, "a definition changes when its full text is read")
        _ = try? CDRDynamicDecoder(description).decode(Array(text.utf8))
    }
}
