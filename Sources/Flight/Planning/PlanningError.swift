/// Why planning failed.
public struct PlanningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one line.
    public let what: String

    /// Makes an error.
    public init(_ what: String) { self.what = what }

    /// Planning was cancelled by its caller.
    public static let cancelled = Self("planning was cancelled")

    /// The error in one line.
    public var description: String { what }
}
