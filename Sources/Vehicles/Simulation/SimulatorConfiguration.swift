public import Geodesy
public import UAVLink

/// The initial conditions of a simulated flight.
public struct SimulatorConfiguration: Sendable {
    /// The vehicle's name, used in its topics and frames.
    public var vehicle = "uav1"
    /// The seed of all randomness.
    public var seed: UInt64 = 1
    /// The world's origin and safety area.
    public var world = SimulatorConfiguration.standardWorld
    /// The UTM zone of a world whose origin is given in UTM coordinates, which do not include it.
    public var zone = SimulatorConfiguration.standardZone
    /// The initial x of the vehicle, metres in `world_origin`.
    public var startXMetres = 0.0
    /// The initial y of the vehicle, metres in `world_origin`.
    public var startYMetres = 0.0
    /// The initial heading, ENU radians.
    public var startHeadingRadians = 0.0
    /// The ground's height above mean sea level, metres.
    public var groundAltitudeMetres = 340.0
    /// Mean wind: the velocity of the air, world axes, m/s.
    public var windMetresPerSecond = Vector3.zero
    /// Standard deviation of gusts along each axis, m/s.
    public var gustsMetresPerSecond = 0.0
    /// The initial constraint set: `slow`, `medium` or `fast`.
    public var constraints = "medium"
    /// Take-off height, metres above the start of the climb.
    public var takeoffHeightMetres = 1.5
    /// Initial charge of the battery, 0 to 1.
    public var batteryCharge = 1.0
    /// The vehicle's physical properties.
    public var airframe = Airframe()
    /// Scale of the nominal noise of GNSS, range finder and estimator; 0 is none.
    public var noise = 1.0
    /// How long services fail after the start, as on the real stack while it starts, seconds.
    public var readyAfterSeconds = 0.0

    /// The camera's service, relative to the vehicle's namespace.
    public var snapshotService = Command.defaultSnapshotService

    /// A calm world with the vehicle at its origin.
    public init() {}

    /// The origin of the real stack's own simulator, with a square of 200 m.
    public static let standardWorld = WorldFile(
        origin: .geographic(GeographicCoordinate(latitudeDegrees: 47.397743, longitudeDegrees: 8.545594)),
        safetyArea: SafetyArea(
            horizontalFrame: .worldOrigin,
            corners: [.init(x: -100, y: -100), .init(x: 100, y: -100), .init(x: 100, y: 100), .init(x: -100, y: 100)],
            verticalFrame: .worldOrigin, minimumZMetres: 0.5, maximumZMetres: 30))

    /// 33N, where the group that provided the world files flies.
    public static let standardZone = UTMZone(number: 33, isNorth: true)
}
