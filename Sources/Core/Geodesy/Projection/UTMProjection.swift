/// Converts WGS84 latitude and longitude to and from one zone's grid, with PROJ.
public final class UTMProjection: Sendable {
    /// The zone.
    public let zone: UTMZone
    private let transformation: Transformation

    /// The projection of a zone; places outside it are projected onto its grid as far as PROJ allows.
    public init(zone: UTMZone) throws(GeodesyError) {
        self.zone = zone
        transformation = try Transformation(
            "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad "
                + "+step +proj=utm +zone=\(zone.number)\(zone.isNorth ? "" : " +south") +ellps=WGS84")
    }

    /// The projection of the zone that contains a place.
    public convenience init(containing place: GeographicCoordinate) throws(GeodesyError) {
        try self.init(zone: UTMZone(containing: place))
    }

    /// A place on the grid.
    public func grid(_ place: GeographicCoordinate) throws(GeodesyError) -> UTMCoordinate {
        try place.validate()
        let (easting, northing, _) = try transformation.forward(place.longitudeDegrees, place.latitudeDegrees)
        return UTMCoordinate(zone: zone, eastingMetres: easting, northingMetres: northing)
    }

    /// The place at an easting and northing of this zone, metres.
    public func geographic(eastingMetres: Double, northingMetres: Double) throws(GeodesyError) -> GeographicCoordinate {
        let (longitude, latitude, _) = try transformation.inverse(eastingMetres, northingMetres)
        return GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }
}
