/// Parses YAML into ``YAMLNode`` trees.
///
/// It accepts YAML 1.1 as libyaml and the vehicle's PyYAML do, except what no configuration needs: merge keys, keys
/// that are not text, and tags other than YAML's own are refused with an error that names them. Aliases are accepted;
/// what they repeat counts each time, so a few lines cannot expand into millions of values.
package enum YAMLReader {
    /// The only document of a text.
    ///
    /// - Throws: ``YAMLError``, also for no document or more than one.
    package static func document(
        _ bytes: some Collection<UInt8>, limits: YAMLLimits = YAMLLimits()
    ) throws(YAMLError) -> YAMLNode {
        let all = try documents(bytes, limits: limits)
        guard let first = all.first else { throw YAMLError(.missing, at: nil, "the document is empty") }
        guard all.count == 1 else {
            throw YAMLError(.unexpected, at: all[1].position, "found a second document, expected only one")
        }
        return first
    }

    /// The only document of a text.
    package static func document(_ text: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) -> YAMLNode {
        try document(Array(text.utf8), limits: limits)
    }

    /// All documents of a text; none for an empty one.
    package static func documents(
        _ bytes: some Collection<UInt8>, limits: YAMLLimits = YAMLLimits()
    ) throws(YAMLError) -> [YAMLNode] {
        guard bytes.count <= limits.bytes else {
            throw YAMLError(.tooLarge, at: nil, "\(bytes.count) bytes of YAML, at most \(limits.bytes) are accepted")
        }
        var builder = TreeBuilder(events: try EventReader(bytes), limits: limits)
        return try builder.documents()
    }

    /// All documents of a text; none for an empty one.
    package static func documents(_ text: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) -> [YAMLNode] {
        try documents(Array(text.utf8), limits: limits)
    }
}

/// Builds trees from events; the recursion depth is bounded by ``YAMLLimits/depth``.
private struct TreeBuilder {
    /// An anchored value, with the node count and depth of a repetition.
    struct Anchored {
        var node: YAMLNode
        var nodes: Int
        var depth: Int
    }

    let events: EventReader
    let limits: YAMLLimits
    var nodes = 0
    var anchors: [String: Anchored] = [:]

    mutating func documents() throws(YAMLError) -> [YAMLNode] {
        var found: [YAMLNode] = []
        while true {
            let (event, position) = try events.next()
            switch event {
            case .streamStart, .documentEnd: continue
            case .documentStart: anchors = [:]
            case .streamEnd: return found
            default: found.append(try node(event, at: position, depth: 1).node)
            }
        }
    }

    /// The value that begins with `event`, and its number of levels.
    mutating func node(
        _ event: YAMLEvent, at position: YAMLPosition, depth: Int
    ) throws(YAMLError) -> (node: YAMLNode, levels: Int) {
        if case .alias(let name) = event { return try repeated(name, at: position, depth: depth) }
        guard depth <= limits.depth else {
            throw YAMLError(.tooLarge, at: position, "values nest deeper than \(limits.depth) levels")
        }
        let before = nodes
        try count(1, at: position)
        let result: (node: YAMLNode, levels: Int)
        let anchor: String?
        switch event {
        case .scalar(let text, let isPlain, let name, let tag):
            anchor = name
            let isText = try isTextTag(tag, at: position)
            result = (YAMLNode(.scalar(text: text, isPlain: isPlain && !isText), at: position), 1)
        case .sequenceStart(let name, let tag):
            anchor = name
            _ = try isTextTag(tag, at: position)
            result = try sequence(at: position, depth: depth)
        case .mappingStart(let name, let tag):
            anchor = name
            _ = try isTextTag(tag, at: position)
            result = try mapping(at: position, depth: depth)
        default: throw YAMLError(.syntax, at: position, "a value is missing")
        }
        if let anchor { anchors[anchor] = Anchored(node: result.node, nodes: nodes - before, depth: result.levels) }
        return result
    }

    mutating func sequence(
        at position: YAMLPosition, depth: Int
    ) throws(YAMLError) -> (node: YAMLNode, levels: Int) {
        var elements: [YAMLNode] = []
        var levels = 0
        while true {
            let (event, start) = try events.next()
            if case .sequenceEnd = event { break }
            let element = try node(event, at: start, depth: depth + 1)
            elements.append(element.node)
            levels = max(levels, element.levels)
        }
        return (YAMLNode(.sequence(elements), at: position), levels + 1)
    }

    mutating func mapping(
        at position: YAMLPosition, depth: Int
    ) throws(YAMLError) -> (node: YAMLNode, levels: Int) {
        var mapping = YAMLMapping()
        var levels = 0
        while true {
            let (keyEvent, keyPosition) = try events.next()
            if case .mappingEnd = keyEvent { break }
            guard case .scalar(let key, let isPlain, _, _) = keyEvent else {
                throw YAMLError(.unsupported, at: keyPosition, "found a key that is not text")
            }
            guard key != "<<" || !isPlain else {
                throw YAMLError(.unsupported, at: keyPosition, "merge keys ('<<') are refused; write the values out")
            }
            let (event, start) = try events.next()
            let value = try node(event, at: start, depth: depth + 1)
            levels = max(levels, value.levels)
            guard mapping.add(key, at: keyPosition, value.node) else {
                let first = mapping.entries.first { $0.key == key }?.keyPosition.line ?? 0
                throw YAMLError(
                    .duplicateKey, at: keyPosition, "the key \(shown(key)) occurs twice, first on line \(first)")
            }
        }
        return (YAMLNode(.mapping(mapping), at: position), levels + 1)
    }

    mutating func repeated(
        _ name: String, at position: YAMLPosition, depth: Int
    ) throws(YAMLError) -> (node: YAMLNode, levels: Int) {
        guard let anchored = anchors[name] else {
            throw YAMLError(.syntax, at: position, "the alias *\(shown(name, quoted: false)) has no earlier anchor")
        }
        guard depth - 1 + anchored.depth <= limits.depth else {
            throw YAMLError(.tooLarge, at: position, "values nest deeper than \(limits.depth) levels")
        }
        try count(anchored.nodes, at: position)
        return (anchored.node, anchored.depth)
    }

    mutating func count(_ more: Int, at position: YAMLPosition) throws(YAMLError) {
        nodes += more
        guard nodes <= limits.nodes else {
            throw YAMLError(.tooLarge, at: position, "there are more than \(limits.nodes) values")
        }
    }

    /// Whether the tag means "text"; YAML's other own tags are ignored, since the reader of the value checks its type.
    func isTextTag(_ tag: String?, at position: YAMLPosition) throws(YAMLError) -> Bool {
        guard let tag else { return false }
        let own = "tag:yaml.org,2002:"
        if tag == "!" || tag == own + "str" { return true }
        if ["int", "float", "bool", "null", "seq", "map"].contains(where: { tag == own + $0 }) { return false }
        throw YAMLError(.unsupported, at: position, "the tag \(shown(tag)) is not known")
    }
}
