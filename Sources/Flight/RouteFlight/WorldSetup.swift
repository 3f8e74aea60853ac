public import Geodesy
internal import ReportKit
public import UAVLink

/// Where the vehicle's world lies, from the vehicle, a world file or user input, with an optional forced UTM zone.
///
/// User input takes precedence over the vehicle's origin; a mismatch gives a warning.
public struct WorldSetup: Hashable, Sendable {
    /// An origin typed by the user.
    public struct TypedOrigin: Hashable, Sendable {
        /// Latitude and longitude.
        public var place: GeographicCoordinate
        /// Altitude of z = 0 above mean sea level, metres; `nil` if not given.
        public var altitudeMetres: Double?

        /// Creates an origin.
        public init(place: GeographicCoordinate, altitudeMetres: Double? = nil) {
            self.place = place
            self.altitudeMetres = altitudeMetres
        }
    }

    /// The origin typed by the user.
    public var typed: TypedOrigin?
    /// The world file.
    public var worldFile: WorldFile?
    /// The world file's name, for display.
    public var worldFileName = ""
    /// The origin reported by the vehicle.
    public var vehicleOrigin: FlightEnvelope.WorldOrigin?
    /// A UTM zone forced for the session.
    public var zone: UTMZone?
    /// Height of mean sea level above the ellipsoid there, metres.
    public var geoidSeparationMetres: Double?
    /// z of the ground, metres in `world_origin`.
    public var groundZMetres: Double?

    /// Largest distance between two origins that counts as equal, metres.
    public static let maximumMismatchMetres = 1.0

    /// Creates an empty setup.
    public init() {}

    /// The session; `nil` if no origin is known.
    ///
    /// - Throws: `GeodesyError` for an invalid origin, or a UTM origin without a zone.
    public func session() throws(GeodesyError) -> WorldSession? {
        var session: WorldSession
        if let typed {
            session = try WorldSession(typed: typed.place, altitudeMetres: typed.altitudeMetres, zone: zone)
        } else if let worldFile {
            session = try WorldSession(worldFile: worldFile, zone: try sessionZone())
        } else if let vehicleOrigin {
            return try WorldSession(vehicle: vehicleOrigin, zone: zone)
        } else {
            return nil
        }
        // World files and most typed origins lack the altitude of z = 0; a vehicle in the same world knows it.
        if session.altitudeMetres == nil, let altitude = vehicleOrigin?.altitudeMetres, altitude.isFinite,
            let apart = try mismatchMetres(session), apart <= Self.maximumMismatchMetres
        {
            session.altitudeMetres = altitude
        }
        return session
    }

    /// Where flight is allowed; `nil` if no world file defines it.
    ///
    /// - Throws: `GeodesyError` if a frame of the area is unknown.
    public func volume(_ session: WorldSession?) throws(GeodesyError) -> FlyableVolume? {
        guard let area = worldFile?.safetyArea, let session else { return nil }
        return try session.volume(area)
    }

    /// Distance between the vehicle's origin and the session's, metres; `nil` if the vehicle's is unknown.
    public func mismatchMetres(_ session: WorldSession) throws(GeodesyError) -> Double? {
        guard let vehiclePlace else { return nil }
        let (x, y) = try session.world(vehiclePlace)
        return (x * x + y * y).squareRoot()
    }

    /// A warning if the vehicle's origin differs from the session's: the flight would take place elsewhere.
    public func mismatchWarning(_ session: WorldSession?) -> String? {
        guard let session, let apart = try? mismatchMetres(session), apart > Self.maximumMismatchMetres else {
            return nil
        }
        return "the vehicle's world_origin is \(Int(saturating: apart.rounded())) m away from the one used here"
    }

    private var vehiclePlace: GeographicCoordinate? {
        vehicleOrigin.map {
            GeographicCoordinate(latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
        }
    }

    /// The forced zone, or the zone of the vehicle's origin.
    private func sessionZone() throws(GeodesyError) -> UTMZone? {
        if let zone { return zone }
        guard let vehiclePlace else { return nil }
        return try UTMZone(containing: vehiclePlace)
    }
}
