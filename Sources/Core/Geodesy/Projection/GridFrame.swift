/// A local frame in metres on the grid of a UTM zone: the vehicle's `world_origin`.
///
/// x is grid east and y is grid north, as in the flight stack. At a zone's edge grid north differs from true north by up
/// to a few degrees.
public final class GridFrame: Sendable {
    /// The origin on the grid.
    public let origin: UTMCoordinate
    private let projection: UTMProjection

    /// The frame with that origin on the grid.
    public init(origin: UTMCoordinate) {
        self.origin = origin
        projection = UTMProjection(zone: origin.zone)
    }

    /// The frame with that place as its origin.
    ///
    /// - Parameter zone: the zone to use; `nil` selects it by the longitude of the place.
    public init(origin place: GeographicCoordinate, zone: UTMZone? = nil) throws(GeodesyError) {
        if let zone {
            projection = UTMProjection(zone: zone)
        } else {
            projection = try UTMProjection(containing: place)
        }
        origin = try projection.grid(place)
    }

    /// The offset of a place from the origin, metres.
    public func local(_ place: GeographicCoordinate) throws(GeodesyError) -> (xMetres: Double, yMetres: Double) {
        let there = try projection.grid(place)
        return (there.eastingMetres - origin.eastingMetres, there.northingMetres - origin.northingMetres)
    }

    /// The offset of a place on the same grid from the origin, metres.
    public func local(eastingMetres: Double, northingMetres: Double) -> (xMetres: Double, yMetres: Double) {
        (eastingMetres - origin.eastingMetres, northingMetres - origin.northingMetres)
    }

    /// The place at x and y metres from the origin.
    public func geographic(xMetres: Double, yMetres: Double) throws(GeodesyError) -> GeographicCoordinate {
        try projection.geographic(
            eastingMetres: origin.eastingMetres + xMetres, northingMetres: origin.northingMetres + yMetres)
    }
}
