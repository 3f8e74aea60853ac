internal import UAVLink

/// Why a route file could not be read or written.
package struct RouteFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one line: the file, the line or field, what was found and what was expected.
    package let what: String

    /// Makes an error.
    package init(_ what: String) { self.what = what }

    /// The one line.
    package var description: String { what }

    /// An error in a line of a file.
    init(_ source: String, line: Int, _ what: String) {
        self.what = "\(source.sanitizedLine), line \(line): \(what)"
    }

    /// A part of a file, sanitized and shortened for an error.
    static func shown(_ text: some StringProtocol) -> String {
        let line = text.prefix(60).sanitizedLine
        return text.count > 60 ? "'\(line)...'" : "'\(line)'"
    }
}
