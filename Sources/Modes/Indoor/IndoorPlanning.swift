public import ModeKit
public import RouteFlight
internal import Planning
public import Trajectories
public import UAVLink

/// A trajectory through the points of a route in a map.
public struct IndoorPlan: Hashable, Sendable {
    /// The trajectory with its checks.
    public var trajectory: TrajectoryPlan
    /// Least clearance along the path, metres; `nil` when the path was not checked against a map.
    public var leastClearanceMetres: Double?
    /// Further facts, such as the clearance on the way to each point.
    public var facts: [LabeledValue]
    /// The waypoints of the path, including the corners around obstacles.
    public var path: [PlannedPoint]

    /// A trajectory.
    public init(
        _ trajectory: TrajectoryPlan, leastClearanceMetres: Double? = nil, facts: [LabeledValue] = [],
        path: [PlannedPoint] = []
    ) {
        self.trajectory = trajectory
        self.leastClearanceMetres = leastClearanceMetres
        self.facts = facts
        self.path = path
    }
}

/// Why planning failed.
public struct IndoorPlanProblem: Error, Hashable, Sendable {
    /// One line: the point concerned, and the obstacle.
    public var text: String
    /// Position of the problem, metres in `world_origin`.
    public var place: Vector3?

    /// A planning problem.
    public init(_ text: String, place: Vector3? = nil) {
        self.text = text
        self.place = place
    }
}

/// A planning request.
public struct IndoorPlanRequest: Hashable, Sendable {
    /// The points of the route.
    public var points: [PlannedPoint]
    /// The map in `world_origin`; `nil` when none is open.
    public var map: PlacedIndoorMap?
    /// Position of the flying vehicle, metres in `world_origin`; `nil`: the flight begins at the first point.
    public var start: Vector3?
    /// Settings of the path search.
    public var settings: IndoorPlanSettings

    /// A planning request.
    public init(
        points: [PlannedPoint], map: PlacedIndoorMap? = nil, start: Vector3? = nil,
        settings: IndoorPlanSettings = .init()
    ) {
        self.points = points
        self.map = map
        self.start = start
        self.settings = settings
    }
}

/// Settings for planning a path through a map.
public struct IndoorPlanSettings: Hashable, Sendable {
    /// Size of the vehicle, order of the points, unknown space. Points are visited in route order unless the best order is
    /// requested.
    public var inspection: InspectionSettings
    /// Whether the path goes around obstacles; otherwise it is straight from point to point, and still checked.
    public var avoidsObstacles = true

    /// The defaults: around obstacles, in route order.
    public init() {
        inspection = InspectionSettings()
        inspection.order = .given
    }
}

/// Makes a trajectory through points in a map.
public protocol IndoorPlanning: Sendable {
    /// - Throws: ``IndoorPlanProblem``.
    func plan(
        _ request: IndoorPlanRequest, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan
}
