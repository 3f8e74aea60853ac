public import UAVLink

/// A place and a heading in some frame, as `mrs_msgs/ReferenceStamped` carries them.
public struct PlaceReference: Hashable, Sendable {
    /// The frame; see the flight stack's names in ``UAVLink/FrameName``.
    public var frame: FrameName
    /// Metres; degrees and metres above sea level in `latlon_origin`.
    public var position: Vector3
    /// Radians in the frame.
    public var headingRadians: Double

    /// A place and a heading.
    public init(frame: FrameName = .current, position: Vector3, headingRadians: Double) {
        self.frame = frame
        self.position = position
        self.headingRadians = headingRadians
    }

    var isFinite: Bool { position.isFinite && headingRadians.isFinite }
}

/// A velocity to fly with, as `mrs_msgs/VelocityReferenceStamped` carries it.
public struct VelocityReference: Hashable, Sendable {
    /// The frame of velocity and heading.
    public var frame: FrameName
    /// m/s.
    public var velocity: Vector3
    /// A height to hold instead of the vertical velocity, metres.
    public var altitudeMetres: Double?
    /// A heading to hold, radians.
    public var headingRadians: Double?
    /// How fast to turn, rad/s; counts only without a heading.
    public var headingRate: Double?

    /// A velocity to fly with.
    public init(
        frame: FrameName = .current, velocity: Vector3, altitudeMetres: Double? = nil, headingRadians: Double? = nil,
        headingRate: Double? = nil
    ) {
        self.frame = frame
        self.velocity = velocity
        self.altitudeMetres = altitudeMetres
        self.headingRadians = headingRadians
        self.headingRate = headingRate
    }

    var isFinite: Bool {
        velocity.isFinite && (altitudeMetres ?? 0).isFinite && (headingRadians ?? 0).isFinite
            && (headingRate ?? 0).isFinite
    }
}

/// A trajectory as the service takes it: unlike ``UAVLink/Trajectory`` it may be nonsense, which is refused or mended as
/// the real stack does.
public struct TrajectoryReference: Hashable, Sendable {
    /// The frame of the points.
    public var frame: FrameName
    /// Positions and headings.
    public var points: [Trajectory.Point]
    /// Seconds from point to point; zero or less means 0.2.
    public var timeStepSeconds: Double
    /// Whether headings count.
    public var usesHeading: Bool
    /// Whether to start at once.
    public var fliesNow: Bool
    /// Whether to repeat.
    public var loops: Bool

    /// A trajectory.
    public init(
        frame: FrameName, points: [Trajectory.Point], timeStepSeconds: Double, usesHeading: Bool, fliesNow: Bool,
        loops: Bool
    ) {
        self.frame = frame
        self.points = points
        self.timeStepSeconds = timeStepSeconds
        self.usesHeading = usesHeading
        self.fliesNow = fliesNow
        self.loops = loops
    }

    /// The same trajectory as a link carries it.
    public init(_ trajectory: Trajectory) {
        self.init(
            frame: trajectory.frame, points: trajectory.points, timeStepSeconds: trajectory.timeStepSeconds,
            usesHeading: trajectory.usesHeading, fliesNow: trajectory.fliesNow, loops: trajectory.loops)
    }
}
