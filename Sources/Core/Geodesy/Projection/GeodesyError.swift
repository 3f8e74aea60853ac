/// Why a place could not be computed or a world file not be read.
public struct GeodesyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Hashable, Sendable {
        /// A coordinate that is no place on earth, or not a finite number.
        case outOfRange
        /// PROJ could not set up or carry out the transformation.
        case projection
        /// A frame whose place in the world is not known.
        case frame
        /// A world file that says something impossible, or nothing where something must be said.
        case worldFile
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
