internal import UAVLink

/// Why a file of points could not be read or written.
public struct RouteFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one line: the file, the line or field, what was found and what was expected.
    public let what: String

    /// Makes an error.
    public init(_ what: String) { self.what = what }

    /// The one line.
    public var description: String { what }

    /// Something in a line of a file.
    init(_ source: String, line: Int, _ what: String) {
        self.what = "\(source.harmlessLine), line \(line): \(what)"
    }

    /// A piece of a file as an error shows it.
    static func shown(_ text: some StringProtocol) -> String {
        let line = text.prefix(60).harmlessLine
        return text.count > 60 ? "'\(line)...'" : "'\(line)'"
    }
}
