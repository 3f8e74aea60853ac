public import UAVLink

/// A position and a heading in a frame, as in `mrs_msgs/ReferenceStamped`.
public struct PlaceReference: Hashable, Sendable {
    /// The frame; for the flight stack's names see ``UAVLink/FrameName``.
    public var frame: FrameName
    /// Metres; degrees and metres above sea level in `latlon_origin`.
    public var position: Vector3
    /// Radians in the frame.
    public var headingRadians: Double

    /// Creates a reference.
    public init(frame: FrameName = .current, position: Vector3, headingRadians: Double) {
        self.frame = frame
        self.position = position
        self.headingRadians = headingRadians
    }

    var isFinite: Bool { position.isFinite && headingRadians.isFinite }
}

/// A velocity reference, as in `mrs_msgs/VelocityReferenceStamped`.
public struct VelocityReference: Hashable, Sendable {
    /// The frame of velocity and heading.
    public var frame: FrameName
    /// m/s.
    public var velocity: Vector3
    /// A height to hold instead of the vertical velocity, metres.
    public var altitudeMetres: Double?
    /// A heading to hold, radians.
    public var headingRadians: Double?
    /// Heading rate, rad/s; ignored if there is a heading.
    public var headingRate: Double?

    /// Creates a velocity reference.
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

/// A trajectory as the service takes it: unlike ``UAVLink/Trajectory`` it may be invalid, and is then refused or
/// corrected as by the real stack.
public struct TrajectoryReference: Hashable, Sendable {
    /// The frame of the points.
    public var frame: FrameName
    /// Positions and headings.
    public var points: [Trajectory.Point]
    /// Seconds from point to point; zero or less means 0.2.
    public var timeStepSeconds: Double
    /// Whether headings are used.
    public var usesHeading: Bool
    /// Whether to start immediately.
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

    /// Converts a link's trajectory.
    public init(_ trajectory: Trajectory) {
        self.init(
            frame: trajectory.frame, points: trajectory.points, timeStepSeconds: trajectory.timeStepSeconds,
            usesHeading: trajectory.usesHeading, fliesNow: trajectory.fliesNow, loops: trajectory.loops)
    }
}
