public import UAVLink

/// Where the vehicle's world lies on the globe, for the time of a session: turns places of one frame into places of another.
///
/// The zone is that of the world's origin, or a forced one, for all places alike: a field on a zone's border does not tear.
/// It goes by longitude alone unless it is forced, as the flight stack has it (``UTMZone/Rule/byLongitude``).
public struct WorldSession: Sendable {
    /// How the origin is known.
    public enum Source: Hashable, Sendable {
        /// From a world file.
        case worldFile
        /// From the vehicle.
        case vehicle(FlightEnvelope.WorldOrigin.Source)
        /// A person typed it.
        case typed
    }

    /// How the origin is known.
    public let source: Source
    /// `world_origin` on the grid.
    public let grid: GridFrame
    /// Metres above mean sea level of z = 0; `nil` while nobody knows it.
    public var altitudeMetres: Double?
    /// Where the vehicle started, metres in `world_origin`; `nil` while nobody knows it.
    public var localOrigin: Vector3?
    /// The vehicle's name, which frames may have in front (`uav1/world_origin`).
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

    /// The world of a world file, which says nothing of heights.
    ///
    /// - Parameter zone: the zone to force; needed where the file gives its origin in UTM, which names no zone.
    public init(worldFile: WorldFile, zone: UTMZone? = nil) throws(GeodesyError) {
        switch worldFile.origin {
        case .geographic(let place):
            self.init(source: .worldFile, grid: try GridFrame(origin: place, zone: zone))
        case .utm(let easting, let northing):
            guard let zone else {
                throw GeodesyError(
                    .frame,
                    "the world file gives its origin in UTM, which names no zone: say which one, such as 33N")
            }
            self.init(
                source: .worldFile,
                grid: try GridFrame(
                    origin: UTMCoordinate(zone: zone, eastingMetres: easting, northingMetres: northing)))
        }
    }

    /// The world as the vehicle has it.
    ///
    /// - Parameter zone: the zone to force.
    public init(vehicle origin: FlightEnvelope.WorldOrigin, zone: UTMZone? = nil) throws(GeodesyError) {
        let place = GeographicCoordinate(
            latitudeDegrees: origin.latitudeDegrees, longitudeDegrees: origin.longitudeDegrees)
        self.init(
            source: .vehicle(origin.source), grid: try GridFrame(origin: place, zone: zone),
            altitudeMetres: origin.altitudeMetres.isFinite ? origin.altitudeMetres : nil)
    }

    /// A world whose origin a person typed.
    ///
    /// - Parameter zone: the zone to force.
    public init(
        typed place: GeographicCoordinate, altitudeMetres: Double? = nil, zone: UTMZone? = nil
    ) throws(GeodesyError) {
        self.init(source: .typed, grid: try GridFrame(origin: place, zone: zone), altitudeMetres: altitudeMetres)
    }
}
