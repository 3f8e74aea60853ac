/// Outcomes of setpoints that were fresh and new.
public struct SteeringCounts: Hashable, Sendable {
    /// Forwarded to the vehicle.
    public var applied: UInt64 = 0
    /// Not forwarded: refused by the control authority.
    public var refused: UInt64 = 0
    /// Not forwarded: the backend failed.
    public var failed: UInt64 = 0
    /// How often the vehicle was braked because the lease expired.
    public var lapses: UInt64 = 0

    /// Creates zero counters.
    public init() {}
}
