/// Why a YAML text could not be read, or did not hold what was expected.
public struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Hashable, Sendable {
        /// Not YAML.
        case syntax
        /// Larger, deeper or of more parts than allowed.
        case tooLarge
        /// A key stands twice in one mapping.
        case duplicateKey
        /// YAML that this reader refuses: merge keys, keys that are not text, foreign tags.
        case unsupported
        /// A key that must be there is not.
        case missing
        /// A key that nobody knows.
        case unknownKey
        /// A value of another kind or out of range.
        case unexpected
    }

    /// What kind of failure it was.
    public let code: Code
    /// Where; `nil` when it concerns the whole text.
    public let position: YAMLPosition?
    /// What was found and what was expected, in one line.
    public let what: String
    /// The file's name, or whatever tells a person which text it was; empty when not known.
    public var source: String

    /// Makes an error.
    public init(_ code: Code, at position: YAMLPosition?, _ what: String, source: String = "") {
        self.code = code
        self.position = position
        self.what = what
        self.source = source
    }

    /// The same error with the name of the text it is about.
    public func from(_ source: String) -> Self {
        Self(code, at: position, what, source: source)
    }

    /// One line: where and what.
    public var description: String {
        var place = source.isEmpty ? "" : shown(source, quoted: false, limit: 200)
        if let position {
            place += (place.isEmpty ? "" : ", ") + "line \(position.line), column \(position.column)"
        }
        return place.isEmpty ? what : "\(place): \(what)"
    }
}

/// Text from outside made fit for a one-line message: controls escaped, long text cut.
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
