public import UAVLink

/// What a sampled trajectory demands, by finite differences of its samples, compared with the vehicle's limits.
public struct MotionAudit: Hashable, Sendable {
    /// A direction with its own limits.
    public enum Axis: String, Hashable, Sendable, CaseIterable { case horizontal, ascending, descending, heading }
    /// A limited quantity.
    public enum Quantity: String, Hashable, Sendable, CaseIterable { case speed, acceleration, jerk }

    /// The sample that exceeds a limit the most.
    public struct Excess: Hashable, Sendable {
        /// The direction.
        public var axis: Axis
        /// What is exceeded.
        public var quantity: Quantity
        /// The sample, counted from 0.
        public var sample: Int
        /// The value demanded there, in the axis's units.
        public var value: Double
        /// The allowed value.
        public var limit: Double
    }

    /// Largest distance between neighbouring samples, metres.
    public let largestSpacingMetres: Double
    /// The first sample of the pair that is farthest apart.
    public let largestSpacingSample: Int
    /// Path length, metres.
    public let lengthMetres: Double
    /// Highest speed along the path, m/s.
    public let greatestSpeed: Double
    /// Exceeded limits, the worst sample of each kind.
    public let excesses: [Excess]

    /// Audits all samples in one pass; the vehicle is at rest before the first and after the last.
    public init(_ trajectory: Trajectory, limits: MotionLimits) {
        var walk = FiniteDifferences(trajectory: trajectory, limits: limits)
        if trajectory.points.count > 1 { walk.run() }
        largestSpacingMetres = walk.widest
        largestSpacingSample = walk.widestSample
        lengthMetres = walk.length
        greatestSpeed = walk.widest / trajectory.timeStepSeconds
        excesses = walk.worst.values.sorted { ($0.sample, $0.axis.rawValue) < ($1.sample, $1.axis.rawValue) }
    }
}
