internal import JSON

extension JSONNode {
    /// A description for errors.
    var summary: String {
        switch content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): PlainNumber.text(value)
        case .string(let text): RouteFileError.shown(text)
        case .array(let elements): "a list of \(elements.count)"
        case .object(let members): "an object with \(members.count) keys"
        }
    }
}

/// A parsed file; errors about its values name their line and column.
struct JSONDocument {
    let source: String
    let bytes: [UInt8]
    let root: JSONNode

    /// An error about a value, with its line and column.
    func unexpected(_ node: JSONNode, _ expected: String) -> RouteFileError {
        JSONReader.error(source, bytes, at: node.offset, "found \(node.summary), expected \(expected)")
    }

    /// An error with the line and column at which a value begins.
    func error(at node: JSONNode, _ what: String) -> RouteFileError {
        JSONReader.error(source, bytes, at: node.offset, what)
    }

    func missing(_ key: String, in node: JSONNode) -> RouteFileError {
        JSONReader.error(source, bytes, at: node.offset, "the key '\(key)' is missing")
    }

    func number(_ node: JSONNode, _ expected: String = "a number") throws(RouteFileError) -> Double {
        guard case .number(let value) = node.content else { throw unexpected(node, expected) }
        return value
    }

    func string(_ node: JSONNode, _ expected: String = "text") throws(RouteFileError) -> String {
        guard case .string(let text) = node.content else { throw unexpected(node, expected) }
        return text
    }

    func array(_ node: JSONNode, _ expected: String = "a list") throws(RouteFileError) -> [JSONNode] {
        guard case .array(let elements) = node.content else { throw unexpected(node, expected) }
        return elements
    }

    func object(_ node: JSONNode, _ expected: String = "an object") throws(RouteFileError) -> [JSONMember] {
        guard case .object(let members) = node.content else { throw unexpected(node, expected) }
        return members
    }

    /// The value of a key; the last one if the key is repeated, as most readers do.
    func find(_ key: String, in node: JSONNode) -> JSONNode? {
        node[key]
    }

    func value(_ key: String, in node: JSONNode, _ expected: String = "an object") throws(RouteFileError) -> JSONNode {
        _ = try object(node, expected)
        guard let found = find(key, in: node) else { throw missing(key, in: node) }
        return found
    }
}
