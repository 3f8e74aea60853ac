/// A place in a YAML text, both counted from 1.
public struct YAMLPosition: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in characters.
    public var column: Int

    /// The place at that line and column.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A value read from YAML, and where it stood.
public struct YAMLNode: Hashable, Sendable {
    /// What kinds of value there are.
    public enum Content: Hashable, Sendable {
        /// Text, with the way it was written.
        case scalar(text: String, isPlain: Bool)
        /// A list.
        case sequence([YAMLNode])
        /// Keys and values.
        case mapping(YAMLMapping)
    }

    /// The value.
    public let content: Content
    /// Where it began; for an alias, where its anchor stood.
    public let position: YAMLPosition

    /// A value and where it stood.
    public init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }

    /// Whether this is YAML's nothing: an empty value, `~` or `null`, not quoted.
    public var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// Keys and values in the order they were written; no key stands twice.
public struct YAMLMapping: Hashable, Sendable {
    /// One key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key's text.
        public let key: String
        /// Where the key stood.
        public let keyPosition: YAMLPosition
        /// The value.
        public let value: YAMLNode
    }

    /// Everything in the order written.
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

    /// Adds a key that was not there yet; `false`, and nothing changes, when it was.
    mutating func add(_ key: String, at position: YAMLPosition, _ value: YAMLNode) -> Bool {
        guard indices[key] == nil else { return false }
        indices[key] = entries.count
        entries.append(Entry(key: key, keyPosition: position, value: value))
        return true
    }
}
