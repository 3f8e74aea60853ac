/// A place on the WGS84 ellipsoid.
public struct GeographicCoordinate: Hashable, Sendable {
    /// Degrees, north positive.
    public var latitudeDegrees: Double
    /// Degrees, east positive.
    public var longitudeDegrees: Double

    /// The place at that latitude and longitude.
    public init(latitudeDegrees: Double, longitudeDegrees: Double) {
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
    }

    /// Checks that latitude and longitude are within range.
    ///
    /// - Throws: ``GeodesyError`` that names the value.
    public func validate() throws(GeodesyError) {
        guard (-90.0...90.0).contains(latitudeDegrees) else {
            throw GeodesyError(.outOfRange, "latitude \(latitudeDegrees) is not within -90...90 degrees")
        }
        guard (-180.0...180.0).contains(longitudeDegrees) else {
            throw GeodesyError(.outOfRange, "longitude \(longitudeDegrees) is not within -180...180 degrees")
        }
    }
}

/// One of the 120 zones of the Universal Transverse Mercator grid.
public struct UTMZone: Hashable, Sendable, CustomStringConvertible {
    /// 1 to 60, from 180 degrees west eastwards, each 6 degrees wide.
    public let number: Int
    /// Whether northings count from the equator (north) or from 10,000 km south of it.
    public let isNorth: Bool

    /// The zone with that number; `nil` if it is not 1 to 60.
    public init?(number: Int, isNorth: Bool) {
        guard (1...60).contains(number) else { return nil }
        self.number = number
        self.isNorth = isNorth
    }

    /// The zone that contains a place, by longitude alone: like the vehicle's flight stack, it ignores the grid's
    /// exceptions around Norway and Svalbard.
    ///
    /// - Throws: ``GeodesyError`` if the coordinate is invalid.
    public init(containing place: GeographicCoordinate) throws(GeodesyError) {
        try place.validate()
        // 180 degrees east is 180 degrees west: zone 1.
        number = Int(((place.longitudeDegrees + 180) / 6).rounded(.down)) % 60 + 1
        isNorth = place.latitudeDegrees >= 0
    }

    /// `33N`.
    public var description: String { "\(number)\(isNorth ? "N" : "S")" }
}

/// A place on the grid of one zone.
public struct UTMCoordinate: Hashable, Sendable {
    /// The zone.
    public var zone: UTMZone
    /// Metres; 500,000 on the zone's central meridian.
    public var eastingMetres: Double
    /// Metres north of the equator; in a southern zone the equator is at 10,000,000.
    public var northingMetres: Double

    /// A place on the grid.
    public init(zone: UTMZone, eastingMetres: Double, northingMetres: Double) {
        self.zone = zone
        self.eastingMetres = eastingMetres
        self.northingMetres = northingMetres
    }
}
