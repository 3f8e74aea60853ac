public import UAVLink

/// A path that keeps its clearance along its whole length.
public struct PlannedPath: Hashable, Sendable {
    /// The path from one stop to the next: straight segments with few corners.
    public struct Leg: Hashable, Sendable {
        /// The stop at its beginning.
        public var from: Stop
        /// The stop at its end.
        public var to: Stop
        /// Both ends and the corners between them; metres in the map's frame.
        public var path: [Vector3]
        /// The clearance of each segment.
        public var clearances: [SegmentClearance]

        /// Length of the leg, metres.
        public var lengthMetres: Double {
            zip(path, path.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        }
    }

    /// The legs, in the order in which they are flown.
    public var legs: [Leg]
    /// Indices of the places, in the order in which they are visited.
    public var order: [Int]
    /// Whether the order is the shortest, within the resolution of the cells.
    public var isShortestOrder: Bool

    /// The whole path, each corner once.
    public var path: [Vector3] {
        legs.reduce(into: legs.first.map { Array($0.path.prefix(1)) } ?? []) { $0 += $1.path.dropFirst() }
    }
    /// Total length, metres.
    public var lengthMetres: Double { legs.reduce(0) { $0 + $1.lengthMetres } }
    /// The clearance of the whole path.
    public var clearance: SegmentClearance? {
        let all = legs.flatMap(\.clearances)
        return all.dropFirst().reduce(all.first) { $0?.joined($1) }
    }
}

/// The outcome of planning.
public enum PlanOutcome: Hashable, Sendable {
    /// A path was found.
    case path(PlannedPath)
    /// No path was found, with the reason.
    case noPath(NoPath)
}

/// Why there is no path.
public struct NoPath: Error, Hashable, Sendable {
    /// The cause.
    public enum Reason: Hashable, Sendable {
        /// The vehicle cannot be at this stop.
        case blocked(Stop, by: Obstruction)
        /// The vehicle fits at both stops, but there is no path between them.
        case noPathBetween(from: Stop, to: Stop, narrowest: Gap?)
    }

    /// The narrowest place of the widest path between two stops.
    public struct Gap: Hashable, Sendable {
        /// Largest clearance with which a vehicle passes, metres; half the width of the gap.
        public var clearanceMetres: Double
        /// Where it is.
        public var place: Vector3
        /// The nearest obstacle there.
        public var obstruction: Obstruction
    }

    /// The cause.
    public var reason: Reason
    /// The reachable place nearest to the stop that is not reachable.
    public var nearestReachable: Vector3?
    /// The clearance that the path has to keep, metres.
    public var clearanceMetres: Double
    /// Edge of the searched cells, metres.
    public var cellMetres: Double
    /// Whether smaller cells would find no path either: the widest way over the cells is too narrow by more than a cell.
    public var isCertain = true
    /// A part of the map that can be searched with smaller cells, if the map was too large for them.
    public var finer: SearchRegion?
    /// The names of the area's obstacles that the straight line between the two stops crosses: they may be why there is no path.
    public var obstacles: [String] = []
}

extension NoPath {
    /// A stop lies outside the map, which smaller cells do not change.
    ///
    /// - Parameter cellMetres: the edge that was asked for; `nil`: that for the body.
    public static func outsideMap(_ stop: Stop, for body: VehicleBody, cellMetres: Double? = nil) -> NoPath {
        NoPath(
            reason: .blocked(stop, by: .outsideMap), nearestReachable: nil, clearanceMetres: body.clearanceMetres,
            cellMetres: cellMetres ?? GridChoice.finest(for: body))
    }
}
