/// A position in a YAML text, both counted from 1.
package struct YAMLPosition: Hashable, Sendable {
    package var line: Int
    /// The column, from 1, in characters.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A value parsed from YAML, and its position.
package struct YAMLNode: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// Text, with its style.
        case scalar(text: String, isPlain: Bool)
        /// A list.
        case sequence([YAMLNode])
        /// Keys and values.
        case mapping(YAMLMapping)
    }

    package let content: Content
    /// Where it began; for an alias, the position of its anchor.
    package let position: YAMLPosition

    /// Creates a value at a position.
    package init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }

    /// Whether this is null in YAML: an empty value, `~` or `null`, not quoted.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// Keys and values in the order written; keys are unique.
package struct YAMLMapping: Hashable, Sendable {
    /// One key and its value.
    package struct Entry: Hashable, Sendable {
        /// The key's text.
        package let key: String
        /// The position of the key.
        package let keyPosition: YAMLPosition
        package let value: YAMLNode
    }

    /// All entries in the order written.
    package private(set) var entries: [Entry] = []
    private var indices: [String: Int] = [:]

    package init() {}

    /// The value of a key.
    package subscript(key: String) -> YAMLNode? {
        guard let index = indices[key], entries.indices.contains(index) else { return nil }
        return entries[index].value
    }

    /// The keys in the order written.
    package var keys: [String] { entries.map(\.key) }

    /// Adds a new key; returns `false` without a change if it exists.
    mutating func add(_ key: String, at position: YAMLPosition, _ value: YAMLNode) -> Bool {
        guard indices[key] == nil else { return false }
        indices[key] = entries.count
        entries.append(Entry(key: key, keyPosition: position, value: value))
        return true
    }
}
