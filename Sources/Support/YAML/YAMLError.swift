/// Why a YAML text could not be parsed, or did not have the expected content.
package struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// Not YAML.
        case syntax
        /// Larger, deeper or with more values than allowed.
        case tooLarge
        /// A key occurs twice in one mapping.
        case duplicateKey
        /// YAML that this parser refuses: merge keys, keys that are not text, unknown tags.
        case unsupported
        /// A required key is missing.
        case missing
        /// An unknown key.
        case unknownKey
        /// A value of another kind, or out of range.
        case unexpected
    }

    /// The kind of failure.
    package let code: Code
    /// The position; `nil` if the error concerns the whole text.
    package let position: YAMLPosition?
    /// What was found and what was expected, in one line.
    package let what: String
    /// The file's name, or another name of the text; empty if unknown.
    package var source: String

    package init(_ code: Code, at position: YAMLPosition?, _ what: String, source: String = "") {
        self.code = code
        self.position = position
        self.what = what
        self.source = source
    }

    /// The same error with the name of its text.
    package func from(_ source: String) -> Self {
        Self(code, at: position, what, source: source)
    }

    /// One line: position and error.
    package var description: String {
        var place = source.isEmpty ? "" : shown(source, quoted: false, limit: 200)
        if let position {
            place += (place.isEmpty ? "" : ", ") + "line \(position.line), column \(position.column)"
        }
        return place.isEmpty ? what : "\(place): \(what)"
    }
}

/// Sanitizes foreign text for a one-line message: control characters escaped, long text truncated.
func shown(_ text: String, quoted: Bool = true, limit: Int = 60) -> String {
    var out = ""
    var count = 0
    for scalar in text.unicodeScalars {
        guard count < limit else {
            out += "..."
            break
        }
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
            out += "\\u{\(String(scalar.value, radix: 16))}"
        default: out.unicodeScalars.append(scalar)
        }
        count += 1
    }
    return quoted ? "'\(out)'" : out
}
