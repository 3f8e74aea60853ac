public import Geodesy
internal import ReportKit
public import UAVLink

/// What is known of where the vehicle's world lies: from the vehicle, a world file, or typed; and a zone that is forced.
///
/// What a person gave goes before what the vehicle says; where both are known and differ, that is told.
public struct WorldSetup: Hashable, Sendable {
    /// An origin that a person typed.
    public struct TypedOrigin: Hashable, Sendable {
        /// The place.
        public var place: GeographicCoordinate
        /// Metres above mean sea level of z = 0, when it was given.
        public var altitudeMetres: Double?

        /// An origin.
        public init(place: GeographicCoordinate, altitudeMetres: Double? = nil) {
            self.place = place
            self.altitudeMetres = altitudeMetres
        }
    }

    /// A typed origin.
    public var typed: TypedOrigin?
    /// A world file, with its name for people.
    public var worldFile: WorldFile?
    /// The world file's name.
    public var worldFileName = ""
    /// What the vehicle says.
    public var vehicleOrigin: FlightEnvelope.WorldOrigin?
    /// A zone that is forced for the session.
    public var zone: UTMZone?
    /// Metres from the ellipsoid up to mean sea level there.
    public var geoidSeparationMetres: Double?
    /// z of the ground, metres in `world_origin`.
    public var groundZMetres: Double?

    /// More than this between two origins is no rounding, metres.
    public static let greatestMismatch = 1.0

    /// Nothing known.
    public init() {}

    /// The session; `nil` when no origin is known.
    ///
    /// - Throws: `GeodesyError` for an origin that is no place on earth, or one in UTM without a zone.
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
        // Neither a world file nor, mostly, a person says how high z = 0 is; the vehicle of the same world knows.
        if session.altitudeMetres == nil, let altitude = vehicleOrigin?.altitudeMetres, altitude.isFinite,
            let apart = try mismatchMetres(session), apart <= Self.greatestMismatch
        {
            session.altitudeMetres = altitude
        }
        return session
    }

    /// Where the vehicle may fly; `nil` when no world file says so.
    ///
    /// - Throws: `GeodesyError` when a frame of the area is not known.
    public func volume(_ session: WorldSession?) throws(GeodesyError) -> FlyableVolume? {
        guard let area = worldFile?.safetyArea, let session else { return nil }
        return try session.volume(area)
    }

    /// How far the vehicle's own origin lies from the session's, metres; `nil` when either is not known.
    public func mismatchMetres(_ session: WorldSession) throws(GeodesyError) -> Double? {
        guard let vehiclePlace else { return nil }
        let (x, y) = try session.world(vehiclePlace)
        return (x * x + y * y).squareRoot()
    }

    /// A warning when the vehicle's origin is another than the session's: everything would be flown elsewhere.
    public func mismatchWarning(_ session: WorldSession?) -> String? {
        guard let session, let apart = try? mismatchMetres(session), apart > Self.greatestMismatch else { return nil }
        return "the vehicle's world_origin lies \(Int(saturating: apart.rounded())) m from the one that is used here"
    }

    private var vehiclePlace: GeographicCoordinate? {
        vehicleOrigin.map {
            GeographicCoordinate(latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
        }
    }

    /// The forced zone, or the one that the vehicle is in.
    private func sessionZone() throws(GeodesyError) -> UTMZone? {
        if let zone { return zone }
        guard let vehiclePlace else { return nil }
        return try UTMZone(containing: vehiclePlace)
    }
}
