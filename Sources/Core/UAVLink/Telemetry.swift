/// A value and when the vehicle measured it, on this machine's clock.
///
/// Over a link whose clock offset is known the instant is the vehicle's own; elsewhere it is when the value arrived.
public struct Sample<Value: Sendable & Hashable>: Hashable, Sendable {
    /// The value.
    public var value: Value
    /// When it was measured.
    public var at: MonotonicTime

    /// A value and when it was measured.
    public init(_ value: Value, at: MonotonicTime) {
        self.value = value
        self.at = at
    }

    /// How old the value is.
    public func age(now: MonotonicTime) -> Duration { now - at }
}

/// What is known of a vehicle; each part with its own age, and absent until it was first heard.
public struct Telemetry: Hashable, Sendable {
    /// The vehicle's name, for example `uav1`.
    public var vehicle: String
    /// Where it is.
    public var pose: Sample<Pose>?
    /// The stamp that the vehicle gave the message with ``pose``, on this machine's clock as far as the two machines' wall clocks
    /// agree; it is not carried by any link, and known where the messages themselves are read.
    public var poseStampedAt: MonotonicTime?
    /// How fast it moves, world axes, metres per second.
    public var velocityMetresPerSecond: Sample<Vector3>?
    /// Height above ground as the estimator has it, metres.
    public var heightAboveGroundMetres: Sample<Double>?
    /// What the range finder below the vehicle measures, metres along its beam.
    public var rangeFinderMetres: Sample<Double>?
    /// The battery.
    public var battery: Sample<Battery>?
    /// Satellite navigation.
    public var gnss: Sample<GNSSFix>?
    /// What the flight stack is doing.
    public var flight: Sample<FlightStatus>?
    /// What the tracker is doing.
    public var tracker: Sample<TrackerStatus>?
    /// The state estimator.
    public var estimator: Sample<EstimatorStatus>?
    /// Who flies, as the companion tells; `nil` where nobody arbitrates.
    public var control: Sample<ControlStatus>?
    /// How often each topic comes, about once a second; at most ``TopicRate/maximumCount``.
    public var topicRates: Sample<[TopicRate]>?
    /// What the vehicle said of itself, oldest first, at most ``maximumMessages``.
    public var messages: [Sample<VehicleMessage>]
    /// What came and was not taken, since no vehicle can have it.
    public var rejected = RejectedValues()

    /// How many messages are kept.
    public static let maximumMessages = 16

    /// Nothing known yet of a vehicle of that name.
    public init(vehicle: String) {
        self.vehicle = vehicle
        messages = []
    }

    /// Adds what the vehicle said, forgetting the oldest when there are too many.
    public mutating func append(_ message: Sample<VehicleMessage>) {
        if messages.count >= Self.maximumMessages { messages.removeFirst(messages.count - Self.maximumMessages + 1) }
        messages.append(message)
    }

    /// When the newest part was measured.
    public var newest: MonotonicTime? {
        [
            pose?.at, velocityMetresPerSecond?.at, heightAboveGroundMetres?.at, battery?.at, gnss?.at, flight?.at,
            tracker?.at, estimator?.at,
        ].compactMap(\.self).max()
    }
}

/// Position and heading.
public struct Pose: Hashable, Sendable {
    /// The frame, as the vehicle names it (`uav1/gps_garmin_origin`): it changes with the estimator.
    public var frame: FrameName
    /// ENU metres in ``frame``.
    public var positionMetres: Vector3
    /// ENU radians in ``frame``.
    public var headingRadians: Double

    /// Position and heading.
    public init(frame: FrameName, positionMetres: Vector3, headingRadians: Double) {
        self.frame = frame
        self.positionMetres = positionMetres
        self.headingRadians = headingRadians
    }
}

/// The battery.
public struct Battery: Hashable, Sendable {
    /// Volts.
    public var voltageVolts: Double
    /// Amperes drawn, positive while discharging.
    public var currentAmperes: Double?
    /// What is left, 0 to 1; absent when the vehicle does not measure it.
    public var remaining: Double?

    /// The battery.
    public init(voltageVolts: Double, currentAmperes: Double? = nil, remaining: Double? = nil) {
        self.voltageVolts = voltageVolts
        self.currentAmperes = currentAmperes
        self.remaining = remaining
    }
}

/// Satellite navigation, WGS84.
public struct GNSSFix: Hashable, Sendable {
    /// What kind of fix; the numbers are those of `sensor_msgs/NavSatStatus`.
    public enum Quality: Int8, Sendable, CaseIterable {
        /// No position.
        case none = -1
        /// Unaugmented.
        case fix = 0
        /// With satellite-based augmentation.
        case satelliteAugmented = 1
        /// With ground-based augmentation (RTK).
        case groundAugmented = 2
    }

    /// What kind of fix.
    public var quality: Quality
    /// Degrees, north positive.
    public var latitudeDegrees: Double
    /// Degrees, east positive.
    public var longitudeDegrees: Double
    /// Metres above mean sea level.
    public var altitudeMetres: Double
    /// Horizontal standard deviation, metres, when it is known.
    public var horizontalAccuracyMetres: Double?

    /// A fix.
    public init(
        quality: Quality, latitudeDegrees: Double, longitudeDegrees: Double, altitudeMetres: Double,
        horizontalAccuracyMetres: Double? = nil
    ) {
        self.quality = quality
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
        self.altitudeMetres = altitudeMetres
        self.horizontalAccuracyMetres = horizontalAccuracyMetres
    }
}

/// What the vehicle is doing, as one word.
public enum FlightState: UInt8, Sendable, CaseIterable {
    /// Not heard yet.
    case unknown = 0
    /// On the ground, motors off.
    case disarmed = 1
    /// On the ground, motors on.
    case armed = 2
    /// On its way up.
    case takingOff = 3
    /// In the air, under control.
    case flying = 4
    /// On its way down.
    case landing = 5
    /// Emergency landing, or another state in which it takes no references.
    case emergency = 6

    /// The word for people and scripts: `unknown`, `disarmed`, `armed`, `taking_off`, `flying`, `landing`, `emergency`.
    public var word: String {
        switch self {
        case .unknown: "unknown"
        case .disarmed: "disarmed"
        case .armed: "armed"
        case .takingOff: "taking_off"
        case .flying: "flying"
        case .landing: "landing"
        case .emergency: "emergency"
        }
    }

    /// Whether the vehicle is off the ground, as far as its state tells.
    public var isAirborne: Bool {
        switch self {
        case .takingOff, .flying, .landing, .emergency: true
        case .unknown, .disarmed, .armed: false
        }
    }
}

/// Switches of the flight stack and what they add up to.
public struct FlightStatus: Hashable, Sendable {
    /// What it adds up to.
    public var state: FlightState
    /// Motors armed.
    public var isArmed: Bool
    /// The autopilot takes commands from the flight stack.
    public var isOffboard: Bool
    /// The flight stack's control output is on.
    public var isOutputEnabled: Bool
    /// The flight stack is in normal flight: references are taken.
    public var isFlyingNormally: Bool

    /// Switches of the flight stack.
    public init(state: FlightState, isArmed: Bool, isOffboard: Bool, isOutputEnabled: Bool, isFlyingNormally: Bool) {
        self.state = state
        self.isArmed = isArmed
        self.isOffboard = isOffboard
        self.isOutputEnabled = isOutputEnabled
        self.isFlyingNormally = isFlyingNormally
    }
}

/// What the tracker is doing.
public struct TrackerStatus: Hashable, Sendable {
    /// The active tracker, for example `MpcTracker`.
    public var tracker: String
    /// The active controller, for example `Se3Controller`.
    public var controller: String
    /// Whether references are taken.
    public var takesReferences: Bool
    /// Whether it is on its way somewhere.
    public var hasGoal: Bool
    /// Whether it follows a trajectory.
    public var isTrackingTrajectory: Bool
    /// The sample it is at, and how many there are.
    public var trajectoryIndex: Int
    /// How many samples the loaded trajectory has.
    public var trajectoryLength: Int

    /// What the tracker is doing.
    public init(
        tracker: String, controller: String, takesReferences: Bool, hasGoal: Bool, isTrackingTrajectory: Bool = false,
        trajectoryIndex: Int = 0, trajectoryLength: Int = 0
    ) {
        self.tracker = tracker
        self.controller = controller
        self.takesReferences = takesReferences
        self.hasGoal = hasGoal
        self.isTrackingTrajectory = isTrackingTrajectory
        self.trajectoryIndex = trajectoryIndex
        self.trajectoryLength = trajectoryLength
    }
}

/// The state estimator.
public struct EstimatorStatus: Hashable, Sendable {
    /// The estimator in use, for example `gps_garmin`.
    public var name: String
    /// The ceiling, metres in the estimator's frame; absent when there is none.
    public var ceilingMetres: Double?

    /// The state estimator.
    public init(name: String, ceilingMetres: Double? = nil) {
        self.name = name
        self.ceilingMetres = ceilingMetres
    }
}

/// One line that the vehicle said of itself.
public struct VehicleMessage: Hashable, Sendable {
    /// How much it matters.
    public enum Severity: UInt8, Sendable, CaseIterable {
        /// For the record.
        case information = 0
        /// Worth a look.
        case warning = 1
        /// Something failed.
        case error = 2
    }

    /// How much it matters.
    public var severity: Severity
    /// The text as it came: untrusted.
    public var text: String

    /// One line.
    public init(severity: Severity, text: String) {
        self.severity = severity
        self.text = text
    }
}
