public import Planning
public import Trajectories
internal import UAVLink

/// A path past inspection points and the trajectory along it.
public struct InspectionPlan: Hashable, Sendable {
    /// The points in flight order: the start, the inspection points, and corners between them.
    public var path: [PlannedPoint]
    /// For each point of the path the index of its inspection point, from 0; `nil` if it is none.
    public var visits: [Int?]
    /// Clearance of each straight segment of the path.
    public var segments: [SegmentClearance]
    /// Clearance of the sampled trajectory along each segment.
    public var flown: [SegmentClearance]
    /// The trajectory with its checks.
    public var trajectory: TrajectoryPlan
    /// Guaranteed clearance from every map point, metres.
    public var guaranteedMetres: Double
    /// Largest deviation from the straight segments at corners, metres; 0: the vehicle stops at corners.
    public var deviationMetres: Double

    /// Least distance from the trajectory to any map point, metres.
    public var leastClearanceMetres: Double { flown.map(\.metres).min() ?? .infinity }

    /// What the user confirms before it is sent: length, duration, least clearance and battery.
    public var confirmation: FlightConfirmation {
        FlightConfirmation(trajectory, leastClearanceMetres: leastClearanceMetres)
    }
}
