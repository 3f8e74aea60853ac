public import UAVLink

/// What a sampled trajectory asks of the vehicle, by the differences of its samples, against what the vehicle allows.
public struct MotionAudit: Hashable, Sendable {
    /// A direction that has limits of its own.
    public enum Axis: String, Hashable, Sendable, CaseIterable { case horizontal, ascending, descending, heading }
    /// A quantity that is limited.
    public enum Quantity: String, Hashable, Sendable, CaseIterable { case speed, acceleration, jerk }

    /// The place where a limit is exceeded the most.
    public struct Excess: Hashable, Sendable {
        /// The direction.
        public var axis: Axis
        /// What is exceeded.
        public var quantity: Quantity
        /// The sample, counted from 0.
        public var sample: Int
        /// What is asked for there, in the axis's units.
        public var value: Double
        /// What is allowed.
        public var limit: Double
    }

    /// Farthest apart that neighbours are, metres.
    public let widestSpacingMetres: Double
    /// The first of the two that are farthest apart.
    public let widestSpacingSample: Int
    /// The way from the first sample to the last, metres.
    public let lengthMetres: Double
    /// The greatest speed along the path, m/s.
    public let greatestSpeed: Double
    /// Where limits are exceeded, the worst of each kind.
    public let excesses: [Excess]

    /// Goes through all samples once; the vehicle is at rest before the first and after the last.
    public init(_ trajectory: Trajectory, limits: MotionLimits) {
        var walk = DifferenceWalk(trajectory: trajectory, limits: limits)
        if trajectory.points.count > 1 { walk.run() }
        widestSpacingMetres = walk.widest
        widestSpacingSample = walk.widestSample
        lengthMetres = walk.length
        greatestSpeed = walk.widest / trajectory.timeStepSeconds
        excesses = walk.worst.values.sorted { ($0.sample, $0.axis.rawValue) < ($1.sample, $1.axis.rawValue) }
    }
}
