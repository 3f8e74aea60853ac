internal import UAVLink

/// Switches and state machines of the flight stack.
struct StackState: Hashable, Sendable {
    /// Where in a flight it is.
    ///
    ///     grounded -> takingOff -> flying -> landing -> grounded
    ///                     |          |  \-> flyingHome -> landing
    ///                     \----------+------------------> landing
    enum Phase: Hashable, Sendable {
        /// NullTracker: nothing is commanded.
        case grounded
        /// LandoffTracker on its way up since then; it has its goal once the motors have run up.
        case takingOff(since: Double, isClimbing: Bool)
        /// MpcTracker.
        case flying
        /// MpcTracker on its way home (or to the place named) to land there.
        case flyingHome
        /// LandoffTracker on its way down.
        case landing(Landing)

        var usesLandoffTracker: Bool {
            switch self {
            case .takingOff, .landing: true
            case .grounded, .flying, .flyingHome: false
            }
        }
    }

    /// How far a landing is.
    struct Landing: Hashable, Sendable {
        var since: Double
        var isDescending = false
        var touchedDownAt: Double?
        var isEmergency: Bool
    }

    /// Times measured on the real stack, seconds.
    enum Timing {
        /// The take-off call blocks so long before the climb begins.
        static let takeoffBlocks = 0.3
        /// The thrust runs up in.
        static let runUp = 0.3
        /// From the land call to the descent.
        static let landingDelay = 0.25
        /// From touch-down to the motors' cut-off threshold.
        static let runDown = 0.8
        /// From touch-down to NullTracker: 0.9 to run down, then 2 s below the threshold.
        static let groundDwell = 2.9
        /// Without control output for so long, the autopilot leaves offboard.
        static let offboardTimeout = 1.0
        /// Output must have flowed for so long before offboard is taken again.
        static let outputSettles = 0.2
    }

    /// Metres between tracker and vehicle at which the real control manager gives up and lands (recorded from it).
    static let greatestControlError = 3.0

    var phase = Phase.grounded
    var isArmed = false
    var isOffboard = false
    var isOutputEnabled = false
    var callbacksEnabled = true
    /// After an emergency landing the output stays off until the stack is restarted.
    var isOutputLocked = false
    var isBumperActive = false
    var home: Vector3?
    /// Flights ended so far.
    var flights = 0
    var outputSince: Double?
    var outputLast: Double?
    var flightSeconds = 0.0
    var constraints = "medium"
    var gains = "soft"
    var estimator = "gps_garmin"
    /// Radians that a pirouette has left.
    var pirouetteLeft: Double?
    var camera = SimulatedCamera()

    /// Metres: the range finder's reach bounds one estimator, nothing much the other.
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

    /// What it adds up to, as one word.
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
