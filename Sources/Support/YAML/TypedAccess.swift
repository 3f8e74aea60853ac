extension YAMLNode {
    /// A description of the value for a message: `'abc'`, `a list of 3`, `nothing`.
    package var summary: String {
        switch content {
        case .scalar(let text, _): isNull ? "nothing" : shown(text)
        case .sequence(let elements): "a list of \(elements.count)"
        case .mapping(let mapping): "a mapping with \(mapping.entries.count) keys"
        }
    }

    /// The text of a scalar as written, without its quotes; `null` is not text.
    package var string: String {
        get throws(YAMLError) {
            guard case .scalar(let text, _) = content, !isNull else { throw unexpected("text") }
            return text
        }
    }

    /// A number; YAML's `.nan` and `.inf` and Python's `nan` and `inf` are accepted.
    package var double: Double {
        get throws(YAMLError) {
            guard case .scalar(let text, isPlain: true) = content, let value = Number.double(text) else {
                throw unexpected("a number")
            }
            return value
        }
    }

    /// A finite number.
    package var finiteDouble: Double {
        get throws(YAMLError) {
            guard let value = try? double, value.isFinite else { throw unexpected("a finite number") }
            return value
        }
    }

    /// A whole number, decimal or with `0x`, `0o` or `0b`.
    package var int: Int {
        get throws(YAMLError) {
            guard case .scalar(let text, isPlain: true) = content, let value = Number.int(text) else {
                throw unexpected("a whole number")
            }
            return value
        }
    }

    /// `true` or `false`, as YAML 1.1 and the vehicle's Python write them (`True`, `yes`, `on`, ...).
    package var bool: Bool {
        get throws(YAMLError) {
            if case .scalar(let text, isPlain: true) = content {
                if ["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"].contains(text) { return true }
                if ["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"].contains(text) { return false }
            }
            throw unexpected("true or false")
        }
    }

    /// The elements of a list.
    package var sequence: [YAMLNode] {
        get throws(YAMLError) {
            guard case .sequence(let elements) = content else { throw unexpected("a list") }
            return elements
        }
    }

    /// Keys and values.
    package var mapping: YAMLMapping {
        get throws(YAMLError) {
            guard case .mapping(let mapping) = content else { throw unexpected("keys and values") }
            return mapping
        }
    }

    /// The value of a key; `nil` if it is missing or this is not a mapping.
    package subscript(key: String) -> YAMLNode? {
        guard case .mapping(let mapping) = content else { return nil }
        return mapping[key]
    }

    /// The value at the end of a path of keys; `nil` if any of them is missing or null.
    package func find(_ path: String...) -> YAMLNode? { find(path) }

    /// The value at the end of a path of keys; `nil` if any of them is missing or null.
    package func find(_ path: [String]) -> YAMLNode? {
        var node = self
        for key in path {
            guard let next = node[key], !next.isNull else { return nil }
            node = next
        }
        return node
    }

    /// The value at the end of a path of keys.
    ///
    /// - Throws: ``YAMLError`` that names the first missing key and the position of its mapping.
    package func value(_ path: String...) throws(YAMLError) -> YAMLNode { try value(path) }

    /// The value at the end of a path of keys.
    package func value(_ path: [String]) throws(YAMLError) -> YAMLNode {
        var node = self
        for (index, key) in path.enumerated() {
            guard let next = try node.mapping[key] else {
                let full = path.prefix(index + 1).joined(separator: ".")
                throw YAMLError(.missing, at: node.position, "the key \(shown(full)) is missing")
            }
            node = next
        }
        return node
    }

    /// Throws for the first key that is not among `known`; the message suggests a similar key.
    package func requireKeys(in known: [String]) throws(YAMLError) {
        for entry in try mapping.entries where !known.contains(entry.key) {
            let near = known.first { $0.lowercased() == entry.key.lowercased() || isOneEditAway($0, entry.key) }
            let hint = near.map { "; did you mean '\($0)'?" } ?? "; known keys: \(known.joined(separator: ", "))"
            throw YAMLError(.unknownKey, at: entry.keyPosition, "unknown key \(shown(entry.key))\(hint)")
        }
    }

    /// An error for an unexpected value: `found 'abc', expected a port from 1 to 65535`.
    package func unexpected(_ expected: String) -> YAMLError {
        YAMLError(.unexpected, at: position, "found \(summary), expected \(expected)")
    }
}

/// Whether one insertion, deletion, replacement or swap of neighbours turns one word into the other.
private func isOneEditAway(_ left: String, _ right: String) -> Bool {
    let (a, b) = (Array(left), Array(right))
    guard abs(a.count - b.count) <= 1 else { return false }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a.dropFirst(start).reversed(), b.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let (restA, restB) = (a.dropFirst(start).dropLast(end), b.dropFirst(start).dropLast(end))
    if restA.count <= 1, restB.count <= 1 { return true }
    return restA.count == 2 && restB.count == 2 && Array(restA) == Array(restB.reversed())
}
