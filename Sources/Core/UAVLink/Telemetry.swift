/// A value and when it was received from the vehicle's own programs, on this machine's clock.
///
/// Over a link with a known clock offset the instant is that of the receipt on board; otherwise it is the time of arrival:
/// see ``AgeOrigin``.
public struct Sample<Value: Sendable & Hashable>: Hashable, Sendable {
    /// The value.
    public var value: Value
    /// When it was received.
    public var at: MonotonicTime

    /// A value and when it was received.
    public init(_ value: Value, at: MonotonicTime) {
        self.value = value
        self.at = at
    }

    /// The age of the value.
    public func age(now: MonotonicTime) -> Duration { now - at }
}

/// The state of a vehicle; each part has its own age and is `nil` until first received.
public struct Telemetry: Hashable, Sendable {
    /// The vehicle's name, for example `uav1`.
    public var vehicle: String
    /// Position and heading.
    public var pose: Sample<Pose>?
    /// Velocity in world axes, metres per second.
    public var velocityMetresPerSecond: Sample<Vector3>?
    /// Estimated height above ground, metres.
    public var heightAboveGroundMetres: Sample<Double>?
    /// The downward range finder's measurement, metres along its beam.
    public var rangeFinderMetres: Sample<Double>?
    /// The attitude, of machines that say it by their own protocol; it is not sent over the channel.
    public var attitude: Sample<Attitude>?
    /// What machines measure besides, about twice a second; it is not sent over the channel.
    public var readings: Sample<[Reading]>?
    /// The battery.
    public var battery: Sample<Battery>?
    /// Satellite navigation.
    public var gnss: Sample<GNSSFix>?
    /// The flight stack's state.
    public var flight: Sample<FlightStatus>?
    /// The tracker's state.
    public var tracker: Sample<TrackerStatus>?
    /// The state estimator.
    public var estimator: Sample<EstimatorStatus>?
    /// Who has control authority, as the companion reports it; `nil` over links without arbitration.
    public var control: Sample<ControlStatus>?
    /// The rate of each topic, updated about once a second; at most ``TopicRate/maximumCount``.
    public var topicRates: Sample<[TopicRate]>?
    /// The clock by which the vehicle's messages are stamped; `nil` while not known. No age here is counted from stamps.
    public var stampClock: StampClock?
    /// Status messages of the vehicle, oldest first, at most ``maximumMessages``.
    public var messages: [Sample<VehicleMessage>]
    /// Values rejected as physically impossible.
    public var rejected = RejectedValues()

    /// The number of messages kept.
    public static let maximumMessages = 16

    /// Telemetry of a vehicle, without values.
    public init(vehicle: String) {
        self.vehicle = vehicle
        messages = []
    }

    /// Adds a message; removes the oldest if there are too many.
    public mutating func append(_ message: Sample<VehicleMessage>) {
        if messages.count >= Self.maximumMessages { messages.removeFirst(messages.count - Self.maximumMessages + 1) }
        messages.append(message)
    }

    /// When the newest source of the flight status was measured, while ``flight`` has the time of the oldest: arming and mode may be
    /// received once a second, and the state changes with the tracker. `nil` if there is no flight status.
    package var newestFlightSource: MonotonicTime? { flight.map { max($0.at, tracker?.at ?? $0.at) } }

    /// When the newest part was measured; `nil` if there is none.
    public var newest: MonotonicTime? {
        // Without a list of them: it is asked for at every frame.
        var newest: MonotonicTime?
        func take(_ at: MonotonicTime?) {
            if let at, newest.map({ $0 < at }) ?? true { newest = at }
        }
        take(pose?.at)
        take(velocityMetresPerSecond?.at)
        take(heightAboveGroundMetres?.at)
        take(battery?.at)
        take(gnss?.at)
        take(flight?.at)
        take(tracker?.at)
        take(estimator?.at)
        return newest
    }
}

/// Position and heading.
public struct Pose: Hashable, Sendable {
    /// The frame's name on the vehicle (`uav1/gps_garmin_origin`): it changes with the estimator.
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
    /// Volts; `nil` if not measured.
    public var voltageVolts: Double?
    /// Amperes, positive while discharging; `nil` if not measured.
    public var currentAmperes: Double?
    /// Remaining charge, 0 to 1; `nil` if not measured.
    public var remaining: Double?

    /// The battery.
    public init(voltageVolts: Double? = nil, currentAmperes: Double? = nil, remaining: Double? = nil) {
        self.voltageVolts = voltageVolts
        self.currentAmperes = currentAmperes
        self.remaining = remaining
    }
}

/// Satellite navigation, WGS84.
public struct GNSSFix: Hashable, Sendable {
    /// The kind of fix; the raw values are those of `sensor_msgs/NavSatStatus`.
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

    /// The kind of fix.
    public var quality: Quality
    /// Degrees, north positive.
    public var latitudeDegrees: Double
    /// Degrees, east positive.
    public var longitudeDegrees: Double
    /// Metres above mean sea level.
    public var altitudeMetres: Double
    /// Horizontal standard deviation, metres; `nil` if not known.
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

/// The vehicle's state in one word.
public enum FlightState: UInt8, Sendable, CaseIterable {
    /// Not received yet.
    case unknown = 0
    /// On the ground, motors off.
    case disarmed = 1
    /// On the ground, motors on.
    case armed = 2
    /// Taking off.
    case takingOff = 3
    /// Flying under control.
    case flying = 4
    /// Landing.
    case landing = 5
    /// Emergency landing, or another state in which it accepts no references.
    case emergency = 6

    /// The state's name in output: `unknown`, `disarmed`, `armed`, `taking_off`, `flying`, `landing`, `emergency`.
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

    /// Whether the vehicle is off the ground in this state.
    public var isAirborne: Bool {
        switch self {
        case .takingOff, .flying, .landing, .emergency: true
        case .unknown, .disarmed, .armed: false
        }
    }
}

/// The flight stack's switches and the resulting state.
public struct FlightStatus: Hashable, Sendable {
    /// The resulting state.
    public var state: FlightState
    /// Motors armed.
    public var isArmed: Bool
    /// The autopilot is in offboard mode: it takes commands from the flight stack. True on a machine without such a mode.
    public var isOffboard: Bool
    /// The flight stack's control output is on.
    public var isOutputEnabled: Bool
    /// The flight stack is in normal flight: it accepts references.
    public var isFlyingNormally: Bool

    /// A flight status.
    public init(state: FlightState, isArmed: Bool, isOffboard: Bool, isOutputEnabled: Bool, isFlyingNormally: Bool) {
        self.state = state
        self.isArmed = isArmed
        self.isOffboard = isOffboard
        self.isOutputEnabled = isOutputEnabled
        self.isFlyingNormally = isFlyingNormally
    }
}

/// The tracker's state.
public struct TrackerStatus: Hashable, Sendable {
    /// The active tracker, for example `MpcTracker`.
    public var tracker: String
    /// The active controller, for example `Se3Controller`.
    public var controller: String
    /// Whether it accepts references.
    public var takesReferences: Bool
    /// Whether it is moving to a goal.
    public var hasGoal: Bool
    /// Whether it follows a trajectory.
    public var isTrackingTrajectory: Bool
    /// The index of the current sample.
    public var trajectoryIndex: Int
    /// The number of samples of the loaded trajectory.
    public var trajectoryLength: Int

    /// The tracker's state.
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
    /// The ceiling, metres in the estimator's frame; `nil` if there is none.
    public var ceilingMetres: Double?

    /// The state estimator.
    public init(name: String, ceilingMetres: Double? = nil) {
        self.name = name
        self.ceilingMetres = ceilingMetres
    }
}

/// A status message of the vehicle, one line.
public struct VehicleMessage: Hashable, Sendable {
    /// The severity.
    public enum Severity: UInt8, Sendable, CaseIterable {
        /// Information.
        case information = 0
        /// Warning.
        case warning = 1
        /// Error.
        case error = 2
    }

    /// The severity.
    public var severity: Severity
    /// The text as received: untrusted.
    public var text: String

    /// A message.
    public init(severity: Severity, text: String) {
        self.severity = severity
        self.text = text
    }
}
