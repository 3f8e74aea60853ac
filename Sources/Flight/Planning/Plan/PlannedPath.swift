public import UAVLink

/// A path that keeps its clearance all the way.
public struct PlannedPath: Hashable, Sendable {
    /// The way from one stop to the next: straight lines with few corners.
    public struct Leg: Hashable, Sendable {
        /// Where it begins.
        public var from: Stop
        /// Where it ends.
        public var to: Stop
        /// From the one place to the other, corners between; metres in the map's frame.
        public var path: [Vector3]
        /// The clearance of each straight line of it.
        public var clearances: [SegmentClearance]

        /// Metres from one end to the other.
        public var lengthMetres: Double {
            zip(path, path.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        }
    }

    /// From stop to stop, in the order in which they are flown.
    public var legs: [Leg]
    /// The places in the order in which they are visited, counted from 0.
    public var order: [Int]
    /// Whether the order was shown to be the shortest, as far as the cells can tell.
    public var isShortestOrder: Bool

    /// The whole path, each corner once.
    public var path: [Vector3] {
        legs.reduce(into: legs.first.map { Array($0.path.prefix(1)) } ?? []) { $0 += $1.path.dropFirst() }
    }
    /// Metres in all.
    public var lengthMetres: Double { legs.reduce(0) { $0 + $1.lengthMetres } }
    /// What it comes near to.
    public var clearance: SegmentClearance? {
        let all = legs.flatMap(\.clearances)
        return all.dropFirst().reduce(all.first) { $0?.joined($1) }
    }
}

/// How planning ended.
public enum PlanOutcome: Hashable, Sendable {
    /// With a path.
    case path(PlannedPath)
    /// Without one, and why.
    case noPath(NoPath)
}

/// Why there is no path.
public struct NoPath: Error, Hashable, Sendable {
    /// What is in the way.
    public enum Reason: Hashable, Sendable {
        /// The vehicle cannot be at this stop.
        case blocked(Stop, by: Obstruction)
        /// It can be at both stops, but not fly from the one to the other.
        case noWay(from: Stop, to: Stop, narrowest: Gap?)
    }

    /// The narrowest place of the widest way between two stops.
    public struct Gap: Hashable, Sendable {
        /// The most clearance with which a vehicle gets through, metres; half the width of the gap.
        public var clearanceMetres: Double
        /// Where it is.
        public var place: Vector3
        /// What is nearest there.
        public var obstruction: Obstruction
    }

    /// What is in the way.
    public var reason: Reason
    /// The place nearest to the stop that cannot be reached that can be.
    public var nearestReachable: Vector3?
    /// What the path has to keep, metres.
    public var clearanceMetres: Double
    /// Edge of the cells that were searched, metres; gaps are found when they are about this much wider than needed.
    public var cellMetres: Double
}
