public import ModeKit
public import RouteFlight
internal import Planning
public import Trajectories
public import UAVLink

/// A trajectory through the points of a route in a map.
public struct IndoorPlan: Hashable, Sendable {
    /// The trajectory with its checks.
    public var trajectory: TrajectoryPlan
    /// The least distance to anything of the map on the way, metres; absent where the map was not asked.
    public var leastClearanceMetres: Double?
    /// What there is to say besides, such as the clearance on the way to each point.
    public var facts: [LabeledValue]
    /// The places that are flown through, corners around obstacles included.
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

/// What is to be planned.
public struct IndoorPlanRequest: Hashable, Sendable {
    /// The points of the route.
    public var points: [PlannedPoint]
    /// The map in `world_origin`; absent where none was opened.
    public var map: IndoorPicture?
    /// Where the vehicle flies now, metres in `world_origin`; absent: the flight begins at the first point.
    public var start: Vector3?
    /// How the way is found.
    public var settings: IndoorPlanSettings

    /// What is to be planned.
    public init(
        points: [PlannedPoint], map: IndoorPicture? = nil, start: Vector3? = nil, settings: IndoorPlanSettings = .init()
    ) {
        self.points = points
        self.map = map
        self.start = start
        self.settings = settings
    }
}

/// How the way through a map is found.
public struct IndoorPlanSettings: Hashable, Sendable {
    /// Size of the vehicle, order of the points, unknown space. The points are visited as they were placed, unless the best order
    /// is asked for.
    public var inspection: InspectionSettings
    /// Whether the way goes around what is in the map; straight from point to point, checked all the same, otherwise.
    public var goesAround = true

    /// Around obstacles, in the order of the points.
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
