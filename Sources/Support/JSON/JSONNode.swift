/// A parsed JSON value with its byte offset.
package struct JSONNode: Sendable {
    /// What it is.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([JSONMember])
    }

    /// What it is.
    package let content: Content
    /// Where it begins, in bytes.
    package let offset: Int

    /// Creates a value.
    package init(content: Content, offset: Int) {
        self.content = content
        self.offset = offset
    }

    /// Whether this is `null`.
    package var isNull: Bool {
        if case .null = content { return true }
        return false
    }

    /// The text; `nil` for anything else.
    package var string: String? {
        if case .string(let text) = content { return text }
        return nil
    }

    /// The number; `nil` for anything else.
    package var number: Double? {
        if case .number(let number) = content { return number }
        return nil
    }

    /// `true` or `false`; `nil` for anything else.
    package var bool: Bool? {
        if case .bool(let bool) = content { return bool }
        return nil
    }

    /// The value of a key, the last one if the key is repeated, as most readers do; `nil` if it is missing, or this is not an object.
    package subscript(key: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.last { $0.key == key }?.value
    }
}

/// A key and its value.
package struct JSONMember: Sendable {
    package let key: String
    package let value: JSONNode

    package init(key: String, value: JSONNode) {
        self.key = key
        self.value = value
    }
}

/// Why a text is no JSON that is accepted.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// Where, in bytes.
    package let offset: Int
    /// What was found and what was expected; not sanitized.
    package let what: String
}

/// Bounds of a text; reading ends with an error at the first thing beyond one.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    package var bytes: Int
    /// Nesting depth.
    package var depth: Int
    /// Total number of values.
    package var values: Int
    /// Elements of one list.
    package var longestList: Int

    package init(bytes: Int, depth: Int = 64, values: Int = 5_000_000, longestList: Int = 5_000_000) {
        (self.bytes, self.depth, self.values, self.longestList) = (bytes, depth, values, longestList)
    }
}
