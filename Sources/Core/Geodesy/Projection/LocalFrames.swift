public import UAVLink

/// A local frame in metres on the grid of a UTM zone: the vehicle's `world_origin`.
///
/// x is grid east and y is grid north, as in the flight stack. At a zone's edge grid north differs from true north by up
/// to a few degrees; ``TangentPlane`` uses true north.
public final class GridFrame: Sendable {
    /// The origin on the grid.
    public let origin: UTMCoordinate
    private let projection: UTMProjection

    /// The frame with that origin on the grid.
    public init(origin: UTMCoordinate) throws(GeodesyError) {
        self.origin = origin
        projection = try UTMProjection(zone: origin.zone)
    }

    /// The frame with that place as its origin.
    ///
    /// - Parameter zone: the zone to use; `nil` selects it by the longitude of the place.
    public init(origin place: GeographicCoordinate, zone: UTMZone? = nil) throws(GeodesyError) {
        if let zone {
            projection = try UTMProjection(zone: zone)
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

/// A local frame of true east, north and up from a point on the ellipsoid, metres.
public final class TangentPlane: Sendable {
    private let transformation: Transformation

    /// The plane parallel to the ellipsoid's tangent plane at that place, `heightMetres` above it.
    public init(origin: GeographicCoordinate, heightMetres: Double = 0) throws(GeodesyError) {
        try origin.validate()
        guard heightMetres.isFinite else { throw GeodesyError(.outOfRange, "the height is not a finite number") }
        transformation = try Transformation(
            "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=WGS84 "
                + "+step +proj=topocentric +ellps=WGS84 +lon_0=\(origin.longitudeDegrees) "
                + "+lat_0=\(origin.latitudeDegrees) +h_0=\(heightMetres)")
    }

    /// East, north and up of a place at a height above the ellipsoid, metres.
    public func local(_ place: GeographicCoordinate, heightMetres: Double = 0) throws(GeodesyError) -> Vector3 {
        try place.validate()
        let (x, y, z) = try transformation.forward(place.longitudeDegrees, place.latitudeDegrees, heightMetres)
        return Vector3(x: x, y: y, z: z)
    }

    /// The place and its height above the ellipsoid for east, north and up in metres.
    public func geographic(_ local: Vector3) throws(GeodesyError) -> (
        place: GeographicCoordinate, heightMetres: Double
    ) {
        let (longitude, latitude, height) = try transformation.inverse(local.x, local.y, local.z)
        return (GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), height)
    }
}
