/// Why a coordinate could not be converted or a world file could not be read.
public struct GeodesyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// A coordinate that is out of range or not a finite number.
        case outOfRange
        /// A frame whose position in the world is not known.
        case frame
        /// A world file with an invalid or missing value.
        case worldFile
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
