package import Planning
package import UAVLink

/// User settings for an inspection.
package struct InspectionSettings: Hashable, Sendable {
    /// Vehicle size and margin. Default: a common hexacopter, 0.35 m from its centre to the tip of a propeller.
    package var body = VehicleBody(radiusMetres: 0.35, marginMetres: 0.2)
    /// Order in which the points are visited.
    package var order = PlanRequest.Order.best
    /// Whether the vehicle returns to the start.
    package var returns = false
    /// Whether unknown space counts as free; must be chosen explicitly.
    package var unknownIsOpen = false
    /// Radius around the start that counts as free because the vehicle is there, metres; 0: none.
    package var freeAroundStartMetres = 0.0
    /// Where the map's points were seen from, metres in `world_origin`; `nil`: the map's own viewpoint.
    package var viewpoints: [Vector3]?
    /// The part of the map that is used, in `world_origin`; `nil`: all of it. Space outside is closed.
    package var region: MapOptions.Box?
    /// Edge of the search cells, metres; `nil`: derived from the vehicle's size.
    package var cellMetres: Double?
    /// Hold time at a point that has none, seconds: vehicle and camera come to rest.
    package var holdSeconds = 2.0

    package init() {}

    /// Whether the region leaves space for the vehicle's centre, with so many metres more than the clearance to its border.
    func leavesSpace(beyondClearance metres: Double) -> Bool {
        guard let region else { return true }
        let size = region.high - region.low
        return min(size.x, size.y, size.z) >= 2 * (body.clearanceMetres + metres)
    }
}

/// Why there is no inspection plan.
package enum InspectionFailure: Error, Hashable, Sendable {
    /// There is no path, with the reason.
    case noPath(NoPath)
    /// An edited path is not safe: index of the segment, from 0, and the obstruction.
    case unsafe(segment: Int, Obstruction)
    /// A request that is invalid; one line.
    case request(String)
    /// The points of the file cannot be used, for example because something that their altitudes need is not known.
    case points(RouteLoadingError)
    /// The map has too many cells: one line, and a part of it that has not; `nil` if the points are too far from one another.
    case tooLarge(String, SearchRegion?)
    /// Planning was cancelled.
    case cancelled

    /// Whether the reason is space of which the map does not say what is there.
    package var isUnknownSpace: Bool {
        guard case .noPath(let why) = self else { return obstruction.map(Self.isUnknown) ?? false }
        switch why.reason {
        case .blocked(_, let obstruction): return Self.isUnknown(obstruction)
        case .noPathBetween(_, _, let gap): return gap.map { Self.isUnknown($0.obstruction) } ?? false
        }
    }

    /// Whether a point of the route is outside the map.
    package var isOutsideMap: Bool {
        guard case .noPath(let why) = self, case .blocked(_, let found) = why.reason else {
            return obstruction == .outsideMap
        }
        return found == .outsideMap
    }

    private var obstruction: Obstruction? { if case .unsafe(_, let obstruction) = self { obstruction } else { nil } }

    private static func isUnknown(_ obstruction: Obstruction) -> Bool {
        if case .unknown = obstruction { true } else { false }
    }
}
