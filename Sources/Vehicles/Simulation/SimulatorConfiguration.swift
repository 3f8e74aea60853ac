public import Geodesy
public import UAVLink

/// What a simulated flight begins with.
public struct SimulatorConfiguration: Sendable {
    /// The vehicle's name, as its topics and frames have it.
    public var vehicle = "uav1"
    /// Where all chance comes from.
    public var seed: UInt64 = 1
    /// The world's origin and safety area.
    public var world = SimulatorConfiguration.standardWorld
    /// The zone of a world whose origin is given in UTM, which does not name one.
    public var zone = SimulatorConfiguration.standardZone
    /// Where the vehicle stands, metres in `world_origin`.
    public var startXMetres = 0.0
    /// Where the vehicle stands, metres in `world_origin`.
    public var startYMetres = 0.0
    /// Where its nose points, ENU radians.
    public var startHeadingRadians = 0.0
    /// The ground's height above mean sea level, metres.
    public var groundAltitudeMetres = 340.0
    /// Mean wind: where the air goes, world axes, m/s.
    public var windMetresPerSecond = Vector3.zero
    /// Standard deviation of gusts along each axis, m/s.
    public var gustsMetresPerSecond = 0.0
    /// The constraint set to begin with: `slow`, `medium` or `fast`.
    public var constraints = "medium"
    /// How high a take-off goes, metres above where it began.
    public var takeoffHeightMetres = 1.5
    /// What is left in the battery, 0 to 1.
    public var batteryCharge = 1.0
    /// What the vehicle is made of.
    public var airframe = Airframe()
    /// Share of the usual noise of GNSS, range finder and estimator; 0 is none.
    public var noise = 1.0
    /// How long after the start services refuse, as the real stack does while it comes up, seconds.
    public var readyAfterSeconds = 0.0

    /// The camera's service below the vehicle's name.
    public var snapshotService = Command.usualSnapshotService

    /// A calm world with the vehicle at its origin.
    public init() {}

    /// The origin of the real stack's own simulator, with a square of 200 m.
    public static let standardWorld = WorldFile(
        origin: .geographic(GeographicCoordinate(latitudeDegrees: 47.397743, longitudeDegrees: 8.545594)),
        safetyArea: SafetyArea(
            horizontalFrame: .worldOrigin,
            corners: [.init(x: -100, y: -100), .init(x: 100, y: -100), .init(x: 100, y: 100), .init(x: -100, y: 100)],
            verticalFrame: .worldOrigin, minimumZMetres: 0.5, maximumZMetres: 30))

    /// 33N, where the group that the world files come from flies.
    public static let standardZone = UTMZone(number: 33, isNorth: true)
}
