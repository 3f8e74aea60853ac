/// Converts WGS84 latitude and longitude to and from one zone's grid.
public final class UTMProjection: Sendable {
    /// The zone.
    public let zone: UTMZone
    /// Degrees east.
    private let centralMeridian: Double

    /// The easting of the central meridian, and the northing of the equator in a southern zone, metres.
    private static let (falseEasting, southernFalseNorthing) = (500_000.0, 10_000_000.0)

    /// The projection of a zone; places outside it are projected onto its grid, up to some 150 degrees of longitude away.
    public init(zone: UTMZone) {
        self.zone = zone
        centralMeridian = Double(zone.number) * 6 - 183
    }

    /// The projection of the zone that contains a place.
    public convenience init(containing place: GeographicCoordinate) throws(GeodesyError) {
        self.init(zone: try UTMZone(containing: place))
    }

    /// A place on the grid.
    public func grid(_ place: GeographicCoordinate) throws(GeodesyError) -> UTMCoordinate {
        try place.validate()
        let difference = Self.wrapped(place.longitudeDegrees - centralMeridian)
        guard
            let point = TransverseMercator.forward(
                latitude: Self.radians(place.latitudeDegrees), longitude: Self.radians(difference))
        else {
            throw GeodesyError(
                .outOfRange,
                "\(place.latitudeDegrees), \(place.longitudeDegrees) is outside the range of the projection of zone \(zone)"
            )
        }
        return UTMCoordinate(
            zone: zone, eastingMetres: point.eastMetres + Self.falseEasting,
            northingMetres: point.northMetres + falseNorthing)
    }

    /// The place at an easting and northing of this zone, metres.
    public func geographic(eastingMetres: Double, northingMetres: Double) throws(GeodesyError) -> GeographicCoordinate {
        guard eastingMetres.isFinite, northingMetres.isFinite else {
            throw GeodesyError(.outOfRange, "\(eastingMetres), \(northingMetres) are not finite numbers")
        }
        guard
            let place = TransverseMercator.inverse(
                eastMetres: eastingMetres - Self.falseEasting, northMetres: northingMetres - falseNorthing)
        else {
            throw GeodesyError(
                .outOfRange,
                "\(eastingMetres), \(northingMetres) is outside the range of the projection of zone \(zone)")
        }
        return GeographicCoordinate(
            latitudeDegrees: Self.degrees(place.latitude),
            longitudeDegrees: Self.wrapped(centralMeridian + Self.degrees(place.longitude)))
    }

    private var falseNorthing: Double { zone.isNorth ? 0 : Self.southernFalseNorthing }

    /// The same direction within -180...180 degrees.
    private static func wrapped(_ degrees: Double) -> Double {
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
    }

    private static func radians(_ degrees: Double) -> Double { degrees / 180 * .pi }

    private static func degrees(_ radians: Double) -> Double { radians / .pi * 180 }
}
