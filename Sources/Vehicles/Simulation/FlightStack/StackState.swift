internal import UAVLink

/// Switches and state machines of the flight stack.
struct StackState: Hashable, Sendable {
    /// The phase of a flight.
    ///
    ///     grounded -> takingOff -> flying -> landing -> grounded
    ///                     |          |  \-> flyingHome -> landing
    ///                     \----------+------------------> landing
    enum Phase: Hashable, Sendable {
        /// NullTracker: nothing is commanded.
        case grounded
        /// LandoffTracker climbing; it gets its goal once the motors have reached their speed.
        case takingOff(since: Double, isClimbing: Bool)
        /// MpcTracker.
        case flying
        /// MpcTracker flying home (or to a given place) to land there.
        case flyingHome
        /// LandoffTracker descending.
        case landing(Landing)

        var usesLandoffTracker: Bool {
            switch self {
            case .takingOff, .landing: true
            case .grounded, .flying, .flyingHome: false
            }
        }
    }

    /// The progress of a landing.
    struct Landing: Hashable, Sendable {
        var since: Double
        var isDescending = false
        var touchedDownAt: Double?
        var isEmergency: Bool
    }

    /// Times measured on the real stack, seconds.
    enum Timing {
        /// How long the take-off call blocks before the climb begins.
        static let takeoffCallSeconds = 0.3
        /// How long the thrust ramps up.
        static let runUp = 0.3
        /// From the land call to the descent.
        static let landingDelay = 0.25
        /// From touch-down to the motors' cut-off threshold.
        static let runDown = 0.8
        /// From touch-down to NullTracker: 0.9 to run down, then 2 s below the threshold.
        static let groundDwell = 2.9
        /// The autopilot leaves offboard mode after this long without control output.
        static let offboardTimeout = 1.0
        /// How long control output must have been present before offboard mode is entered again.
        static let outputSettlingSeconds = 0.2
    }

    /// Metres between tracker and vehicle at which the real control manager lands (recorded from it).
    static let maximumControlError = 3.0

    var phase = Phase.grounded
    var isArmed = false
    var isOffboard = false
    /// A safety pilot flies by radio: it hovers, and obeys no tracker.
    var isHeldByRadio = false
    var isOutputEnabled = false
    var callbacksEnabled = true
    /// After an emergency landing the output stays off until the stack is restarted.
    var isOutputLocked = false
    var isBumperActive = false
    var home: Vector3?
    /// Flights ended so far.
    var flights = 0
    var outputSince: Double?
    var lastOutputAt: Double?
    var flightSeconds = 0.0
    var constraints = "medium"
    var gains = "soft"
    var estimator = "gps_garmin"
    /// Remaining radians of a pirouette.
    var pirouetteLeft: Double?
    var camera = SimulatedCamera()

    /// Metres: one estimator is limited by the range finder, the other hardly at all.
    var ceiling: Double { estimator == "gps_garmin" ? 30 : 100 }

    var trackerName: String {
        switch phase {
        case .grounded: "NullTracker"
        case .takingOff, .landing: "LandoffTracker"
        case .flying, .flyingHome: "MpcTracker"
        }
    }

    var controllerName: String { phase == .grounded ? "EmergencyController" : "MpcController" }

    var isFlyingNormally: Bool {
        switch phase {
        case .flying, .flyingHome: isArmed && isOffboard && isOutputEnabled
        case .grounded, .takingOff, .landing: false
        }
    }

    /// The flight state that follows from all of it.
    var flightState: FlightState {
        switch phase {
        case .grounded: isArmed ? .armed : .disarmed
        case .takingOff: .takingOff
        case .flying: callbacksEnabled || pirouetteLeft != nil ? .flying : .emergency
        case .flyingHome: .landing
        case .landing(let landing): landing.isEmergency ? .emergency : .landing
        }
    }
}
