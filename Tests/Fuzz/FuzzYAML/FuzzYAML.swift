import FuzzKit
import YAML

/// Any bytes as YAML: what is read can be asked for anything, and is written so that it reads as the same again.
@main enum FuzzYAML: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        guard let documents = try? YAMLReader.documents(bytes, limits: YAMLLimits(nodes: 20_000)) else { return }
        for document in documents { walk(document) }
    }

    private static func walk(_ node: YAMLNode) {
        _ = node.summary
        _ = try? node.double
        _ = try? node.int
        _ = try? node.bool
        switch node.content {
        case .scalar(let text, _):
            let flow = YAMLText.record([.init(text, .text(text))]).flow
            let again = try? YAMLReader.document(flow).mapping
            precondition(again?[text].map { (try? $0.string) == text } ?? false, "not read back: \(flow)")
        case .sequence(let elements): for element in elements { walk(element) }
        case .mapping(let mapping):
            for entry in mapping.entries { walk(entry.value) }
            _ = try? node.requireKeys(in: ["host", "user"])
        }
    }
}
