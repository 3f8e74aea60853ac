/// Why points could not be read, written or worked on.
public struct PointCloudError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Hashable, Sendable {
        /// The file cannot be opened or read.
        case file
        /// It says something impossible, or other than what it promised.
        case format
        /// It ends before all that it promised.
        case truncated
        /// It is of a kind or version that is not read.
        case unsupported
        /// It has more points, or is larger, than is allowed.
        case tooLarge
        /// The caller did not want it any more.
        case cancelled
        /// A filter was asked for something that makes no sense.
        case outOfRange
    }

    /// What kind of failure it was.
    public let code: Code
    /// What happened, in one line; for a file: which, where, what was found and what was expected.
    public let what: String

    /// Makes an error.
    public init(_ code: Code, _ what: String) {
        self.code = code
        self.what = what
    }

    /// The one line.
    public var description: String { what }
}
