public import Geodesy
public import UAVLink

/// A sequence of points to fly to, given by the user or a file.
///
/// Nothing is assumed: a position names its frame, an altitude its reference, and what a file leaves out is `nil`.
public struct Route: Hashable, Sendable {
    /// Its name; text from a file.
    public var name: String
    /// The points in flight order.
    public var points: [RoutePoint]

    /// Upper bound, so that every file is read and planned within seconds; a track of a point per second for a whole day has
    /// fewer. A trajectory, which is sampled between the points, may have more samples (``Trajectory/maximumPoints``).
    public static let maximumPoints = 100_000

    /// Creates a route.
    public init(name: String = "", points: [RoutePoint] = []) {
        self.name = name
        self.points = points
    }
}

/// One point of a route.
public struct RoutePoint: Hashable, Sendable {
    /// A horizontal position.
    public enum Place: Hashable, Sendable {
        /// Latitude and longitude.
        case geographic(GeographicCoordinate)
        /// Metres along x and y of a frame of the vehicle.
        case local(xMetres: Double, yMetres: Double, frame: FrameName)
    }

    /// The reference of an altitude.
    public enum AltitudeReference: Hashable, Sendable {
        /// Mean sea level.
        case meanSeaLevel
        /// The WGS84 ellipsoid, as given by satellite receivers before the geoid correction.
        case ellipsoid
        /// The ground (or the sea floor) directly below.
        case ground
        /// The take-off position.
        case home
        /// z = 0 of a frame of the vehicle.
        case frame(FrameName)
    }

    /// A height with its reference.
    public struct Altitude: Hashable, Sendable {
        /// Metres, up.
        public var metres: Double
        /// The reference.
        public var reference: AltitudeReference

        /// Creates an altitude.
        public init(metres: Double, reference: AltitudeReference) {
            self.metres = metres
            self.reference = reference
        }
    }

    /// The vehicle's heading.
    public enum HeadingRule: Hashable, Sendable {
        /// ENU radians.
        case fixed(radians: Double)
        /// Along the path.
        case alongPath
        /// Towards a place, on the whole leg to this point.
        case towards(Place)
    }

    /// Horizontal position.
    public var place: Place
    /// Altitude; `nil` if the file has none: it is asked for, never assumed.
    public var altitude: Altitude?
    /// Heading; `nil`: the session's default.
    public var heading: HeadingRule?
    /// Hold time, seconds.
    public var holdSeconds: Double
    /// Camera pitch, radians up from the horizon (down is negative); `nil`: not specified.
    public var cameraPitchRadians: Double?
    /// Whether a snapshot is taken there.
    public var takesSnapshot: Bool
    /// Its name; text from a file.
    public var name: String

    /// Creates a point.
    public init(
        place: Place, altitude: Altitude? = nil, heading: HeadingRule? = nil, holdSeconds: Double = 0,
        cameraPitchRadians: Double? = nil, takesSnapshot: Bool = false, name: String = ""
    ) {
        self.place = place
        self.altitude = altitude
        self.heading = heading
        self.holdSeconds = holdSeconds
        self.cameraPitchRadians = cameraPitchRadians
        self.takesSnapshot = takesSnapshot
        self.name = name
    }
}

/// A point of a route in the vehicle's world, metres in `world_origin`: the input of the trajectory generator.
public struct PlannedPoint: Hashable, Sendable {
    /// Metres east, north and up in `world_origin`.
    public var position: Vector3
    /// The heading.
    public var heading: Heading
    /// Hold time, seconds.
    public var holdSeconds: Double
    /// Camera pitch, radians up from the horizon (down is negative); `nil`: not specified.
    public var cameraPitchRadians: Double?
    /// Whether a snapshot is taken there.
    public var takesSnapshot: Bool

    /// The vehicle's heading.
    public enum Heading: Hashable, Sendable {
        /// ENU radians.
        case fixed(radians: Double)
        /// Along the path.
        case alongPath
        /// Towards a place: metres in `world_origin`.
        case towards(xMetres: Double, yMetres: Double)
    }

    /// Creates a point.
    public init(
        position: Vector3, heading: Heading = .alongPath, holdSeconds: Double = 0, cameraPitchRadians: Double? = nil,
        takesSnapshot: Bool = false
    ) {
        self.position = position
        self.heading = heading
        self.holdSeconds = holdSeconds
        self.cameraPitchRadians = cameraPitchRadians
        self.takesSnapshot = takesSnapshot
    }
}
