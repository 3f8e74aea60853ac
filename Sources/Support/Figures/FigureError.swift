/// Why a chart could not be written.
public struct FigureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error, in one line.
    public let what: String

    /// Makes an error.
    public init(_ what: String) { self.what = what }

    /// The error.
    public var description: String { what }
}
