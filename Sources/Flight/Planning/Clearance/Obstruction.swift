public import UAVLink

/// Why a vehicle cannot be at a place.
public enum Obstruction: Hashable, Sendable {
    /// A point of the map is too near: its position, and its distance from the vehicle's centre, metres.
    case mapPoint(Vector3, metres: Double)
    /// Unknown space is too near: its position, and its distance, metres (0: the place itself is unknown).
    case unknown(Vector3, metres: Double)
    /// The place is outside the map.
    case outsideMap
    /// The place is outside the part of the map that is used, or closer to its border than the clearance.
    case outsideRegion
    /// The place is outside the area where the vehicle may fly.
    case outsideArea
    /// The place is in an obstacle of that area, or closer to it than its margin: the obstacle's name.
    case obstacle(String)
}

/// The clearance of a segment or a path.
public struct SegmentClearance: Hashable, Sendable {
    /// Distance from the path to the nearest point of the map, metres, exact; infinite when the map has none.
    public var metres: Double
    /// That point of the map.
    public var nearestPoint: Vector3?
    /// Distance from the path to the nearest unknown space, metres, at least; `nil` when it is farther than the vehicle
    /// needs.
    public var unknownMetres: Double?
    /// The centre of that unknown cell.
    public var nearestUnknown: Vector3?
    /// Whether it lies within the map along its whole length.
    public var isInsideMap: Bool
    /// Whether it lies within the area where the vehicle may fly along its whole length.
    public var isInsideArea: Bool
    /// The name of the obstacle by which it first leaves that area; `nil` if it does not, or leaves it by its border.
    public var obstacle: String?
    /// Whether it keeps the clearance from the border of the region along its whole length; true without one.
    public var isInsideRegion = true

    /// The obstruction for a vehicle that needs this clearance; `nil` when it can fly the segment.
    public func obstruction(clearanceMetres: Double) -> Obstruction? {
        if let nearestPoint, metres < clearanceMetres { return .mapPoint(nearestPoint, metres: metres) }
        if !isInsideArea { return obstacle.map { .obstacle($0) } ?? .outsideArea }
        if !isInsideRegion { return .outsideRegion }
        if !isInsideMap { return .outsideMap }
        if let unknownMetres, let nearestUnknown, unknownMetres < clearanceMetres {
            return .unknown(nearestUnknown, metres: unknownMetres)
        }
        return nil
    }

    /// The clearance of both together: the worse value of each.
    public func joined(_ other: Self) -> Self {
        var result = metres <= other.metres ? self : other
        let unknown = [self, other].filter { $0.unknownMetres != nil }
            .min { ($0.unknownMetres ?? .infinity) < ($1.unknownMetres ?? .infinity) }
        result.unknownMetres = unknown?.unknownMetres
        result.nearestUnknown = unknown?.nearestUnknown
        result.isInsideMap = isInsideMap && other.isInsideMap
        result.isInsideArea = isInsideArea && other.isInsideArea
        result.isInsideRegion = isInsideRegion && other.isInsideRegion
        result.obstacle = isInsideArea ? other.obstacle : obstacle
        return result
    }
}
