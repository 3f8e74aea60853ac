/// The aliases of keys that the router has declared in this session.
struct AliasTable: Sendable {
    private var keys: [UInt16: String] = [:]
    private var bytes = 0

    /// The most bytes of all keys together: some 30,000 of the longest keys that ROS 2 has.
    static let maximumBytes = 4 << 20

    /// The key of an alias; `nil` for an unknown one.
    subscript(alias: UInt16) -> String? { keys[alias] }

    /// Takes or replaces an alias.
    mutating func declare(_ alias: UInt16, _ key: String) throws(ZenohError) {
        guard alias != 0 else { throw ZenohError(.protocolViolation, "the router declared a key with the alias 0") }
        bytes += key.utf8.count - (keys[alias]?.utf8.count ?? 0)
        keys[alias] = key
        guard bytes <= Self.maximumBytes else {
            throw ZenohError(.tooLarge, "the router declared keys of more than \(Self.maximumBytes) bytes")
        }
    }

    /// Forgets an alias.
    mutating func undeclare(_ alias: UInt16) {
        if let key = keys.removeValue(forKey: alias) { bytes -= key.utf8.count }
    }
}

/// The key of a received message: what an alias stands for, and the text behind it.
package struct InboundKey: Sendable, Hashable {
    /// The key of the alias; empty without one.
    package let prefix: String
    /// The range of the text in the bytes of the message.
    package let suffix: Range<Int>

    /// The whole key; invalid UTF-8 becomes U+FFFD.
    package func text(in bytes: [UInt8]) -> String {
        suffix.isEmpty ? prefix : prefix + String(decoding: bytes[suffix], as: UTF8.self)
    }

    /// Whether the key is that one; allocates nothing.
    package func isEqual(to key: String, in bytes: [UInt8]) -> Bool {
        let utf8 = key.utf8
        guard utf8.count == prefix.utf8.count + suffix.count else { return false }
        return (prefix.isEmpty || utf8.starts(with: prefix.utf8))
            && (suffix.isEmpty || utf8.dropFirst(prefix.utf8.count).elementsEqual(bytes[suffix]))
    }

    /// Whether the key has wildcards.
    package func isWild(in bytes: [UInt8]) -> Bool {
        KeyExpression.isWild(prefix.utf8) || KeyExpression.isWild(bytes[suffix])
    }
}
