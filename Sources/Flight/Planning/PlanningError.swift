/// Why no plan could be made.
public struct PlanningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one line.
    public let what: String

    /// Makes an error.
    public init(_ what: String) { self.what = what }

    /// Whoever asked for the plan did not want it any more.
    public static let cancelled = Self("planning was cancelled")

    /// The one line.
    public var description: String { what }
}
