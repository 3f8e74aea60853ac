/// A position in a YAML text, both counted from 1.
public struct YAMLPosition: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in characters.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A value parsed from YAML, and its position.
public struct YAMLNode: Hashable, Sendable {
    /// The kinds of value.
    public enum Content: Hashable, Sendable {
        /// Text, with its style.
        case scalar(text: String, isPlain: Bool)
        /// A list.
        case sequence([YAMLNode])
        /// Keys and values.
        case mapping(YAMLMapping)
    }

    /// The value.
    public let content: Content
    /// Where it began; for an alias, the position of its anchor.
    public let position: YAMLPosition

    /// Creates a value at a position.
    public init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }

    /// Whether this is null in YAML: an empty value, `~` or `null`, not quoted.
    public var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// Keys and values in the order written; keys are unique.
public struct YAMLMapping: Hashable, Sendable {
    /// One key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key's text.
        public let key: String
        /// The position of the key.
        public let keyPosition: YAMLPosition
        /// The value.
        public let value: YAMLNode
    }

    /// All entries in the order written.
    public private(set) var entries: [Entry] = []
    private var indices: [String: Int] = [:]

    /// An empty mapping.
    public init() {}

    /// The value of a key.
    public subscript(key: String) -> YAMLNode? {
        guard let index = indices[key], entries.indices.contains(index) else { return nil }
        return entries[index].value
    }

    /// The keys in the order written.
    public var keys: [String] { entries.map(\.key) }

    /// Adds a new key; returns `false` without a change if it exists.
    mutating func add(_ key: String, at position: YAMLPosition, _ value: YAMLNode) -> Bool {
        guard indices[key] == nil else { return false }
        indices[key] = entries.count
        entries.append(Entry(key: key, keyPosition: position, value: value))
        return true
    }
}
