package import FlightVolume
package import Geodesy
internal import ReportKit
package import UAVLink

/// Where the vehicle's world lies, from the vehicle, a world file or user input, with an optional forced UTM zone.
///
/// User input takes precedence over the vehicle's origin; a mismatch gives a warning.
package struct WorldSetup: Hashable, Sendable {
    /// An origin typed by the user.
    package struct TypedOrigin: Hashable, Sendable {
        /// Latitude and longitude.
        package var place: GeographicCoordinate
        /// Altitude of z = 0 above mean sea level, metres; `nil` if not given.
        package var altitudeMetres: Double?

        package init(place: GeographicCoordinate, altitudeMetres: Double? = nil) {
            self.place = place
            self.altitudeMetres = altitudeMetres
        }
    }

    /// The origin typed by the user.
    package var typed: TypedOrigin?
    package var worldFile: WorldFile?
    /// The world file's name, for display.
    package var worldFileName = ""
    /// The origin reported by the vehicle.
    package var vehicleOrigin: FlightEnvelope.WorldOrigin?
    /// A UTM zone forced for the session.
    package var zone: UTMZone?
    /// Height of mean sea level above the ellipsoid there, metres.
    package var geoidSeparationMetres: Double?
    /// Altitude of z = 0 above mean sea level, metres, for a world file, which has none; `nil` if not given.
    package var worldAltitudeMetres: Double?
    /// Where the vehicle started, metres in `world_origin`; `nil` if not given.
    package var localOrigin: Vector3?
    /// z of the ground, metres in `world_origin`.
    package var groundZMetres: Double?

    /// Largest distance between two origins that counts as equal, metres.
    package static let maximumMismatchMetres = 1.0

    package init() {}

    /// The session; `nil` if no origin is known.
    ///
    /// - Throws: `GeodesyError` for an invalid origin, or a UTM origin without a zone.
    package func session() throws(GeodesyError) -> WorldSession? {
        var session: WorldSession
        if let typed {
            session = try WorldSession(typed: typed.place, altitudeMetres: typed.altitudeMetres, zone: zone)
        } else if let worldFile {
            session = try WorldSession(worldFile: worldFile, zone: try sessionZone())
        } else if let vehicleOrigin {
            session = try WorldSession(vehicle: vehicleOrigin, zone: zone)
        } else {
            return nil
        }
        session.localOrigin = localOrigin
        session.altitudeMetres = session.altitudeMetres ?? worldAltitudeMetres
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
    package func volume(_ session: WorldSession?) throws(GeodesyError) -> FlyableVolume? {
        guard let area = worldFile?.safetyArea, let session else { return nil }
        return try session.volume(area)
    }

    /// Distance between the vehicle's origin and the session's, metres; `nil` if the vehicle's is unknown.
    package func mismatchMetres(_ session: WorldSession) throws(GeodesyError) -> Double? {
        guard let vehiclePlace else { return nil }
        let (x, y) = try session.world(vehiclePlace)
        return (x * x + y * y).squareRoot()
    }

    /// A warning if the vehicle's origin differs from the session's: the flight would take place elsewhere.
    package func mismatchWarning(_ session: WorldSession?) -> String? {
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
