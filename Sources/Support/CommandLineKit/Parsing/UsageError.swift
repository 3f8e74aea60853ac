/// Why a command line is invalid: one line, and a hint.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exit code of every usage error.
    package static let exitCode: Int32 = 2

    /// The error, in one line without a full stop.
    package let what: String
    /// What to do about it, in one line.
    package let hint: String

    /// Creates an error; control characters that were typed are shown escaped.
    package init(_ what: String, hint: String) {
        self.what = Self.visible(what)
        self.hint = Self.visible(hint)
    }

    /// One line: the error and the hint.
    package var description: String { hint.isEmpty ? what : "\(what); \(hint)" }

    private static func visible(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                out.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
