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

    /// Checks that it is a place on earth.
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

    /// The zone of that number, if there is one.
    public init?(number: Int, isNorth: Bool) {
        guard (1...60).contains(number) else { return nil }
        self.number = number
        self.isNorth = isNorth
    }

    /// The zone that a place lies in by its longitude alone: the grid's exceptions around Norway and Svalbard are left
    /// out, as the vehicle's flight stack leaves them out.
    ///
    /// - Throws: ``GeodesyError`` when it is no place on earth.
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
    /// Metres from the equator (10,000,000 there in a southern zone).
    public var northingMetres: Double

    /// A place on the grid.
    public init(zone: UTMZone, eastingMetres: Double, northingMetres: Double) {
        self.zone = zone
        self.eastingMetres = eastingMetres
        self.northingMetres = northingMetres
    }
}
