public import Trajectories
public import UAVLink

/// A trajectory through the points of a route in a map.
public struct IndoorPlan: Hashable, Sendable {
    /// The trajectory with its checks.
    public var trajectory: TrajectoryPlan
    /// The least distance to anything of the map on the way, metres; absent where the map was not asked.
    public var leastClearanceMetres: Double?
    /// What there is to say besides, such as the clearance of each segment.
    public var facts: [MapFact]

    /// A trajectory.
    public init(_ trajectory: TrajectoryPlan, leastClearanceMetres: Double? = nil, facts: [MapFact] = []) {
        self.trajectory = trajectory
        self.leastClearanceMetres = leastClearanceMetres
        self.facts = facts
    }
}

/// Why there is no trajectory.
public struct IndoorPlanProblem: Error, Hashable, Sendable {
    /// One line: which point, and what is in the way.
    public var text: String
    /// Where it is, metres in `world_origin`.
    public var place: Vector3?

    /// Why there is none.
    public init(_ text: String, place: Vector3? = nil) {
        self.text = text
        self.place = place
    }
}

/// Makes a trajectory through points in a map.
public protocol IndoorPlanning: Sendable {
    /// - Parameter map: the points in `world_origin`; absent where none was opened.
    /// - Throws: ``IndoorPlanProblem``.
    func plan(
        _ points: [PlannedPoint], map: IndoorPicture?, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan
}
