/// Why planning failed.
public struct PlanningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one line.
    public let what: String
    /// Whether the map has more cells than are allowed: a part of it can be planned in (``SearchRegion``).
    public let isTooLarge: Bool

    /// Makes an error.
    public init(_ what: String, isTooLarge: Bool = false) {
        self.what = what
        self.isTooLarge = isTooLarge
    }

    /// Planning was cancelled by its caller.
    public static let cancelled = Self("planning was cancelled")

    /// The error in one line.
    public var description: String { what }
}
