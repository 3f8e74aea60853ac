public import UAVLink

/// Why a vehicle cannot be at a place.
public enum Obstruction: Hashable, Sendable {
    /// A point of the map is too near: where it is, and how far from the vehicle's centre, metres.
    case mapPoint(Vector3, metres: Double)
    /// Space that nobody has seen is too near: where, and how far, metres (0: the place itself is unknown).
    case unknown(Vector3, metres: Double)
    /// The place is not within the map.
    case outsideMap
    /// The place is not within the area where the vehicle may fly.
    case outsideArea
}

/// What a vehicle comes near to between two places.
public struct SegmentClearance: Hashable, Sendable {
    /// From the path to the nearest point of the map, metres, exactly; infinite when the map has none.
    public var metres: Double
    /// That point of the map.
    public var nearestPoint: Vector3?
    /// From the path to the nearest unknown space, metres, at least; absent when it is farther than the vehicle needs.
    public var unknownMetres: Double?
    /// The middle of that unknown cell.
    public var nearestUnknown: Vector3?
    /// Whether it lies within the map all the way.
    public var isInsideMap: Bool
    /// Whether it lies within the area where the vehicle may fly all the way.
    public var isInsideArea: Bool

    /// Why a vehicle that needs this much room cannot fly it; absent when it can.
    public func obstruction(clearanceMetres: Double) -> Obstruction? {
        if let nearestPoint, metres < clearanceMetres { return .mapPoint(nearestPoint, metres: metres) }
        if !isInsideArea { return .outsideArea }
        if !isInsideMap { return .outsideMap }
        if let unknownMetres, let nearestUnknown, unknownMetres < clearanceMetres {
            return .unknown(nearestUnknown, metres: unknownMetres)
        }
        return nil
    }

    /// Both together: the worst of each.
    public func joined(_ other: Self) -> Self {
        var result = metres <= other.metres ? self : other
        let unknown = [self, other].filter { $0.unknownMetres != nil }
            .min { ($0.unknownMetres ?? .infinity) < ($1.unknownMetres ?? .infinity) }
        result.unknownMetres = unknown?.unknownMetres
        result.nearestUnknown = unknown?.nearestUnknown
        result.isInsideMap = isInsideMap && other.isInsideMap
        result.isInsideArea = isInsideArea && other.isInsideArea
        return result
    }
}
