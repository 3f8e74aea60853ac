/// Why a file of points could not be read or written.
public struct RouteFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one line: the file, the line or field, what was found and what was expected.
    public let what: String

    /// Makes an error.
    public init(_ what: String) { self.what = what }

    /// The one line.
    public var description: String { what }
}
