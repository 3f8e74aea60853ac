public import UAVLink

/// The position of the vehicle's world on the globe for one session: converts coordinates between frames.
///
/// All places use one zone, that of the world's origin or a given one, so that an area across a zone border stays
/// continuous. Unless given, the zone is chosen by longitude alone, as in the flight stack (``UTMZone/init(containing:)``).
public struct WorldSession: Sendable {
    /// Where the origin comes from.
    public enum Source: Hashable, Sendable {
        /// From a world file.
        case worldFile
        /// From the vehicle.
        case vehicle(FlightEnvelope.WorldOrigin.Source)
        /// Entered by the user.
        case typed
    }

    /// Where the origin comes from.
    public let source: Source
    /// `world_origin` on the grid.
    public let grid: GridFrame
    /// The altitude of z = 0 in metres above mean sea level; `nil` while unknown.
    public var altitudeMetres: Double?
    /// Where the vehicle started, metres in `world_origin`; `nil` while unknown.
    public var localOrigin: Vector3?
    /// The vehicle's name, which may prefix frame names (`uav1/world_origin`).
    public var vehicle: String

    /// The zone of the session.
    public var zone: UTMZone { grid.origin.zone }

    /// A session around a world's origin.
    public init(
        source: Source, grid: GridFrame, altitudeMetres: Double? = nil, localOrigin: Vector3? = nil,
        vehicle: String = ""
    ) {
        self.source = source
        self.grid = grid
        self.altitudeMetres = altitudeMetres
        self.localOrigin = localOrigin
        self.vehicle = vehicle
    }

    /// The world of a world file, which has no altitude.
    ///
    /// - Parameter zone: the zone to use; required if the file gives its origin in UTM, which names no zone.
    public init(worldFile: WorldFile, zone: UTMZone? = nil) throws(GeodesyError) {
        switch worldFile.origin {
        case .geographic(let place):
            self.init(source: .worldFile, grid: try GridFrame(origin: place, zone: zone))
        case .utm(let easting, let northing):
            guard let zone else {
                throw GeodesyError(
                    .frame,
                    "the world file gives its origin in UTM, which names no zone; give the zone (--zone), for example 33N"
                )
            }
            self.init(
                source: .worldFile,
                grid: GridFrame(
                    origin: UTMCoordinate(zone: zone, eastingMetres: easting, northingMetres: northing)))
        }
    }

    /// The world reported by the vehicle.
    ///
    /// - Parameter zone: the zone to use instead of that of the origin.
    public init(vehicle origin: FlightEnvelope.WorldOrigin, zone: UTMZone? = nil) throws(GeodesyError) {
        let place = GeographicCoordinate(
            latitudeDegrees: origin.latitudeDegrees, longitudeDegrees: origin.longitudeDegrees)
        self.init(
            source: .vehicle(origin.source), grid: try GridFrame(origin: place, zone: zone),
            altitudeMetres: origin.altitudeMetres.isFinite ? origin.altitudeMetres : nil)
    }

    /// A world whose origin the user entered.
    ///
    /// - Parameter zone: the zone to use instead of that of the origin.
    public init(
        typed place: GeographicCoordinate, altitudeMetres: Double? = nil, zone: UTMZone? = nil
    ) throws(GeodesyError) {
        self.init(source: .typed, grid: try GridFrame(origin: place, zone: zone), altitudeMetres: altitudeMetres)
    }
}
