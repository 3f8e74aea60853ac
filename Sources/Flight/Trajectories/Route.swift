public import Geodesy
public import UAVLink

/// A sequence of places to fly to, as a person or a file gives them.
///
/// Nothing in it is assumed: a place says its frame, an altitude its reference, and what a file does not say is absent.
public struct Route: Hashable, Sendable {
    /// What it is called; text from a file.
    public var name: String
    /// The places in the order in which they are flown.
    public var points: [RoutePoint]

    /// More than any flight has, few enough for every file to be read in bounded time.
    public static let maximumPoints = 1_000_000

    /// A route.
    public init(name: String = "", points: [RoutePoint] = []) {
        self.name = name
        self.points = points
    }
}

/// One place of a route.
public struct RoutePoint: Hashable, Sendable {
    /// Where it is, seen from above.
    public enum Place: Hashable, Sendable {
        /// On the globe.
        case geographic(GeographicCoordinate)
        /// Metres along x and y of a frame of the vehicle's.
        case local(xMetres: Double, yMetres: Double, frame: FrameName)
    }

    /// What an altitude counts from.
    public enum AltitudeReference: Hashable, Sendable {
        /// Mean sea level.
        case meanSeaLevel
        /// The WGS84 ellipsoid, as satellite receivers have it before the geoid is applied.
        case ellipsoid
        /// The ground (or the sea floor's surface) right below.
        case ground
        /// Where the vehicle took off.
        case home
        /// The z of a frame of the vehicle's.
        case frame(FrameName)
    }

    /// A height and what it counts from.
    public struct Altitude: Hashable, Sendable {
        /// Metres, up.
        public var metres: Double
        /// What they count from.
        public var reference: AltitudeReference

        /// A height.
        public init(metres: Double, reference: AltitudeReference) {
            self.metres = metres
            self.reference = reference
        }
    }

    /// Where the vehicle's nose points.
    public enum HeadingRule: Hashable, Sendable {
        /// ENU radians.
        case fixed(radians: Double)
        /// Along the path.
        case alongPath
        /// Towards a place, all the way to this point.
        case towards(Place)
    }

    /// Where it is, seen from above.
    public var place: Place
    /// How high; absent when the file did not say: then it is asked for, never assumed.
    public var altitude: Altitude?
    /// Where the nose points; absent: as the session says.
    public var heading: HeadingRule?
    /// How long the vehicle stays, seconds.
    public var holdSeconds: Double
    /// Where the camera looks, radians up from the horizon (down is negative); absent: not said.
    public var cameraPitchRadians: Double?
    /// Whether a snapshot is taken there.
    public var takesSnapshot: Bool
    /// What it is called; text from a file.
    public var name: String

    /// A place.
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

/// A place of a route in the vehicle's world: metres in `world_origin`, what the generator of trajectories works on.
public struct PlannedPoint: Hashable, Sendable {
    /// Metres east, north and up in `world_origin`.
    public var position: Vector3
    /// Where the nose points.
    public var heading: Heading
    /// How long the vehicle stays, seconds.
    public var holdSeconds: Double
    /// Where the camera looks, radians up from the horizon (down is negative).
    public var cameraPitchRadians: Double?
    /// Whether a snapshot is taken there.
    public var takesSnapshot: Bool

    /// Where the vehicle's nose points.
    public enum Heading: Hashable, Sendable {
        /// ENU radians.
        case fixed(radians: Double)
        /// Along the path.
        case alongPath
        /// Towards a place: metres in `world_origin`.
        case towards(xMetres: Double, yMetres: Double)
    }

    /// A place.
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
