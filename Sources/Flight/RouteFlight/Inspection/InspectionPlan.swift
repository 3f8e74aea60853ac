public import Planning
public import Trajectories
internal import UAVLink

/// A path past points of inspection, and the trajectory that flies it.
public struct InspectionPlan: Hashable, Sendable {
    /// The places in the order in which they are flown: the start, the points, and corners between.
    public var path: [PlannedPoint]
    /// Which places of the path are points of the inspection: for each, which one it is, counted from 0; absent for corners.
    public var visits: [Int?]
    /// What each straight line from place to place comes near to.
    public var segments: [SegmentClearance]
    /// What the trajectory, as it is sampled, comes near to on its way from place to place.
    public var flown: [SegmentClearance]
    /// The trajectory with its checks.
    public var trajectory: TrajectoryPlan
    /// What it keeps from every point of the map, at least, metres.
    public var promisedMetres: Double
    /// How far it leaves the straight lines at corners, at most, metres; 0: it stops there.
    public var deviationMetres: Double

    /// The least distance from the trajectory to any point of the map, metres.
    public var leastClearanceMetres: Double { flown.map(\.metres).min() ?? .infinity }

    /// What a person is asked before it is sent: length, time, least clearance and battery.
    public var confirmation: FlightConfirmation {
        FlightConfirmation(trajectory, leastClearanceMetres: leastClearanceMetres)
    }
}
