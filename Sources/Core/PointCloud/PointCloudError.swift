/// Why a point cloud could not be read, written or processed.
public struct PointCloudError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The file cannot be opened or read.
        case file
        /// The file is invalid or contradicts its header.
        case format
        /// The file is shorter than its header says.
        case truncated
        /// A format or version that is not supported.
        case unsupported
        /// More points or bytes than the limits allow.
        case tooLarge
        /// The caller cancelled.
        case cancelled
        /// An invalid argument of a filter.
        case outOfRange
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in one line; for a file: its name, the position, what was found and what was expected.
    public let what: String

    /// Makes an error.
    public init(_ code: Code, _ what: String) {
        self.code = code
        self.what = what
    }

    /// The message.
    public var description: String { what }
}
