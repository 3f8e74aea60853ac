public import UAVLink

/// A finding of a check.
public struct TrajectoryFinding: Hashable, Sendable {
    /// Kind of a finding.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// What the file contains is left out of the route, or was assumed.
        case file
        /// Outside the safety area.
        case safetyArea = "safety_area"
        /// In an obstacle of the world file, or too close to it.
        case obstacle
        /// Too low or too high.
        case altitude
        /// Too far from the start, or the vehicle is too far from it.
        case distance
        /// A speed, acceleration or jerk limit is exceeded.
        case motion
        /// Samples too far apart.
        case spacing
        /// The path is too long.
        case length
        /// The flight takes too long.
        case duration
        /// The battery is too low, or its state is unknown.
        case battery
    }

    /// Whether the finding forbids the flight.
    public enum Weight: String, Hashable, Sendable { case failure, warning }

    /// What the user can do about a finding whose text asks for it; the command line and each screen have their own way.
    public enum Remedy: Hashable, Sendable {
        /// Give z of the ground.
        case giveGround
        /// Give z of the take-off position.
        case giveHome
    }

    /// Kind of the finding.
    public var kind: Kind
    /// Whether the finding forbids the flight.
    public var weight: Weight
    /// Index of the route point at or before the finding, from 0; `nil` if it concerns the whole trajectory.
    public var pointIndex: Int?
    /// The sample, counted from 0.
    public var sample: Int?
    /// Position, metres in `world_origin`.
    public var position: Vector3?
    /// One line for the user; names the point counted from 1.
    public var text: String
    /// What the last words of the text ask for, or what answers their question; `nil` if there is nothing to do.
    public var remedy: Remedy?

    /// A finding.
    public init(
        _ kind: Kind, _ weight: Weight = .failure, pointIndex: Int? = nil, sample: Int? = nil,
        position: Vector3? = nil, text: String
    ) {
        self.kind = kind
        self.weight = weight
        self.pointIndex = pointIndex
        self.sample = sample
        self.position = position
        self.text = text
    }
}

/// A check that could not be made, or whose result is in doubt.
public struct MissingCheck: Hashable, Sendable {
    /// What was not checked.
    public var kind: TrajectoryFinding.Kind
    /// What was not checked, or is doubted, and why, in a few words for the user.
    public var text: String

    /// A check that could not be made.
    public init(_ kind: TrajectoryFinding.Kind, text: String) { (self.kind, self.text) = (kind, text) }
}

/// How far away a trajectory begins.
public struct StartDistance: Hashable, Sendable {
    /// From where it is measured.
    public enum Origin: String, Hashable, Sendable {
        /// The vehicle.
        case vehicle
        /// The origin of `world_origin`, where the vehicle's position is unknown.
        case worldOrigin = "world_origin"
    }

    /// Metres to the first sample.
    public var metres: Double
    /// From where.
    public var origin: Origin
    /// How old the vehicle's position is that it is measured from, seconds; `nil` for one of now.
    public var ageSeconds: Double?

    /// A distance.
    public init(metres: Double, from origin: Origin) { (self.metres, self.origin) = (metres, origin) }
}

/// Results of the checks of a trajectory.
public struct TrajectoryReport: Hashable, Sendable {
    /// Number of samples.
    public var samples: Int
    /// Path length, metres.
    public var lengthMetres: Double
    /// Duration, seconds.
    public var durationSeconds: Double
    /// Largest distance between neighbouring samples, metres.
    public var maximumSpacingMetres: Double
    /// Time between samples, seconds.
    public var timeStepSeconds: Double
    /// Highest speed along the path, m/s.
    public var greatestSpeed: Double
    /// Share of a full battery that the flight needs; `nil` if unknown.
    public var batteryNeeded: Double?
    /// Remaining share; `nil` if unknown.
    public var batteryRemaining: Double?
    /// The findings by kind, in flight order.
    public var findings: [TrajectoryFinding]
    /// How far away it begins; `nil` for a trajectory without samples.
    public var start: StartDistance?
    /// The world that it was checked in; `nil` if none is known.
    public var world: CheckedWorld?
    /// The checks that could not be made, or are in doubt; a report without failures is no pass for them.
    public var missingChecks: [MissingCheck] = []

    /// A report.
    public init(
        samples: Int, lengthMetres: Double, durationSeconds: Double, maximumSpacingMetres: Double,
        timeStepSeconds: Double, greatestSpeed: Double, findings: [TrajectoryFinding] = []
    ) {
        self.samples = samples
        self.lengthMetres = lengthMetres
        self.durationSeconds = durationSeconds
        self.maximumSpacingMetres = maximumSpacingMetres
        self.timeStepSeconds = timeStepSeconds
        self.greatestSpeed = greatestSpeed
        self.findings = findings
    }

    /// Whether it may be sent: no check failed.
    public var isOK: Bool { !findings.contains { $0.weight == .failure } }
}
