/// Why a chart could not be written.
package struct FigureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error, in one line.
    package let what: String

    /// Makes an error.
    package init(_ what: String) { self.what = what }

    package var description: String { what }
}
