package import ModeKit
package import RouteFlight
internal import Planning
package import Trajectories
package import UAVLink

/// A trajectory through the points of a route in a map.
package struct IndoorPlan: Hashable, Sendable {
    /// The trajectory with its checks.
    package var trajectory: TrajectoryPlan
    /// Least clearance along the path, metres; `nil` when the path was not checked against a map.
    package var leastClearanceMetres: Double?
    /// Further facts, such as the clearance on the way to each point.
    package var facts: [LabeledValue]
    /// The waypoints of the path, including the corners around obstacles.
    package var path: [PlannedPoint]

    package init(
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
package struct IndoorPlanProblem: Error, Hashable, Sendable {
    /// One line: the point concerned, and the obstacle.
    package var text: String
    /// Position of the problem, metres in `world_origin`.
    package var place: Vector3?

    package init(_ text: String, place: Vector3? = nil) {
        self.text = text
        self.place = place
    }
}

package struct IndoorPlanRequest: Hashable, Sendable {
    /// The points of the route.
    package var points: [PlannedPoint]
    /// The map in `world_origin`; `nil` when none is open.
    package var map: PlacedIndoorMap?
    /// Position of the flying vehicle, metres in `world_origin`; `nil`: the flight begins at the first point.
    package var start: Vector3?
    /// Settings of the path search.
    package var settings: IndoorPlanSettings

    package init(
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
package struct IndoorPlanSettings: Hashable, Sendable {
    /// Size of the vehicle, order of the points, unknown space. Points are visited in route order unless the best order is
    /// requested.
    package var inspection: InspectionSettings
    /// Whether the path goes around obstacles; otherwise it is straight from point to point, and still checked.
    package var avoidsObstacles = true

    /// The defaults: around obstacles, in route order.
    package init() {
        inspection = InspectionSettings()
        inspection.order = .given
    }
}

/// Makes a trajectory through points in a map.
package protocol IndoorPlanning: Sendable {
    /// - Throws: ``IndoorPlanProblem``.
    func plan(
        _ request: IndoorPlanRequest, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan
}
