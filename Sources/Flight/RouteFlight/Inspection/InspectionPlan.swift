package import Planning
package import Trajectories
internal import UAVLink

/// A path past inspection points and the trajectory along it.
package struct InspectionPlan: Hashable, Sendable {
    /// The points in flight order: the start, the inspection points, and corners between them.
    package var path: [PlannedPoint]
    /// For each point of the path the index of its inspection point, from 0; `nil` if it is none.
    package var visits: [Int?]
    /// Clearance of each straight segment of the path.
    package var segments: [SegmentClearance]
    /// Clearance of the sampled trajectory along each segment.
    package var flown: [SegmentClearance]
    /// The trajectory with its checks.
    package var trajectory: TrajectoryPlan
    /// Guaranteed clearance from every map point, metres.
    package var guaranteedMetres: Double
    /// Largest deviation from the straight segments at corners, metres; 0: the vehicle stops at corners.
    package var deviationMetres: Double

    /// The path as a file of points has it, which has neither speed nor rounding; `nil`: ``path``.
    package var written: [PlannedPoint]?

    /// Least distance from the trajectory to any map point, metres.
    package var leastClearanceMetres: Double { flown.map(\.metres).min() ?? .infinity }

    /// What the user confirms before it is sent: length, duration, least clearance and battery.
    package var confirmation: FlightConfirmation {
        FlightConfirmation(trajectory, leastClearanceMetres: leastClearanceMetres)
    }
}
