public import UAVLink

/// What a check found.
public struct TrajectoryFinding: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Outside of the safety area.
        case safetyArea = "safety_area"
        /// Too low or too high.
        case altitude
        /// Too far from where it starts, or the vehicle is too far from its start.
        case distance
        /// Too fast, or changing too fast.
        case motion
        /// Samples too far apart.
        case spacing
        /// Too long a way.
        case length
        /// Too long a time.
        case duration
        /// Too little battery, or nobody knows.
        case battery
    }

    /// Whether it may be flown all the same.
    public enum Weight: String, Hashable, Sendable { case failure, warning }

    /// What kind of thing it is.
    public var kind: Kind
    /// Whether it may be flown all the same.
    public var weight: Weight
    /// The point at or after which it is, counted from 0; absent where it is about the whole.
    public var pointIndex: Int?
    /// The sample, counted from 0.
    public var sample: Int?
    /// Where it is, metres in `world_origin`.
    public var position: Vector3?
    /// One line for a person; names the point as people count, from 1.
    public var text: String

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

/// What the checks of a trajectory came to.
public struct TrajectoryReport: Hashable, Sendable {
    /// How many samples it has.
    public var samples: Int
    /// The way, metres.
    public var lengthMetres: Double
    /// The time, seconds.
    public var durationSeconds: Double
    /// How far apart neighbours are at most, metres.
    public var maximumSpacingMetres: Double
    /// From one sample to the next, seconds.
    public var timeStepSeconds: Double
    /// The greatest speed along the path, m/s.
    public var greatestSpeed: Double
    /// The share of a full battery that the flight takes; absent when it is not known.
    public var batteryNeeded: Double?
    /// The share that is left; absent when it is not known.
    public var batteryRemaining: Double?
    /// What was found, kind by kind, in the order of the way.
    public var findings: [TrajectoryFinding]

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

    /// Whether it may be sent: nothing failed.
    public var isOK: Bool { !findings.contains { $0.weight == .failure } }
}
