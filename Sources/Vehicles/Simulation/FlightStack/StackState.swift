internal import UAVLink

/// Switches and state machines of the flight stack.
struct StackState: Hashable, Sendable {
    /// The phase of a flight.
    ///
    ///     grounded -> takingOff -> flying -> landing -> grounded
    ///                     |          |  \-> flyingHome -> landing
    ///                     |          |  \-> emergencyHover -> landing
    ///                     \----------+------------------> landing
    enum Phase: Hashable, Sendable {
        /// NullTracker: nothing is commanded.
        case grounded
        /// LandoffTracker climbing; it gets its goal once the motors have reached their speed.
        case takingOff(since: Double, isClimbing: Bool)
        /// MpcTracker.
        case flying
        /// MpcTracker flying home, to a given place or down, to land there. A hover on the way holds it in the air, and the stack neither
        /// lands nor takes references before the next landing: it waits at the place for a goal that nobody gives again.
        case flyingHome(isHeld: Bool)
        /// LandoffTracker holding the place with EmergencyController: no reference is taken any more, only a landing.
        case emergencyHover
        /// LandoffTracker descending.
        case landing(Landing)

        var usesLandoffTracker: Bool {
            switch self {
            case .takingOff, .emergencyHover, .landing: true
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
        static let offboardTimeout = 1.1
        /// Milliseconds from a change in the autopilot until its status shows it, and the managers know of it.
        static let statusSteps: Int64 = 2
        /// How long control output must have been present before offboard mode is entered again.
        static let outputSettlingSeconds = 0.2
    }

    /// Metres above ground down to which a landing is a goto, if it begins a metre or more higher (`descend_height`).
    static let descendHeight = 2.0

    /// Metres between tracker and vehicle at which the real control manager lands (recorded from it).
    static let maximumControlError = 3.0

    /// The controller that the stack flies with, unless another one is chosen.
    static let usualController = "Se3Controller"

    /// The switches of the autopilot.
    struct Switches: Hashable, Sendable {
        var isArmed = false
        var isOffboard = false
    }

    var phase = Phase.grounded
    var isArmed = false
    var isOffboard = false
    /// What the autopilot's status shows, and what the take-off knows of: the switches a moment ago.
    var status = Switches()
    /// The step at which the status began to differ from the switches.
    var statusDiffersSince: Int64?
    /// The controller of ``Phase/flying``.
    var flightController = StackState.usualController
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
        case .takingOff, .emergencyHover, .landing: "LandoffTracker"
        case .flying, .flyingHome: "MpcTracker"
        }
    }

    var controllerName: String {
        switch phase {
        case .grounded, .emergencyHover: "EmergencyController"
        case .takingOff, .landing: "MpcController"
        case .flying, .flyingHome: flightController
        }
    }

    var isFlyingNormally: Bool {
        switch phase {
        case .flying, .flyingHome: isArmed && isOffboard && isOutputEnabled && callbacksEnabled
        case .grounded, .takingOff, .emergencyHover, .landing: false
        }
    }

    /// Whether the active tracker says that it takes references: LandoffTracker says so while it climbs, though the
    /// manager passes none on, and NullTracker once another one was active.
    var trackerTakesReferences: Bool {
        switch phase {
        case .grounded: flights > 0 && callbacksEnabled
        case .takingOff, .emergencyHover: true
        case .flying, .flyingHome, .landing: callbacksEnabled
        }
    }

    /// The flight state that follows from all of it.
    var flightState: FlightState {
        switch phase {
        case .grounded: status.isArmed ? .armed : .disarmed
        case .takingOff: .takingOff
        case .flying: callbacksEnabled || pirouetteLeft != nil ? .flying : .emergency
        case .emergencyHover: .emergency
        case .flyingHome(let isHeld): isHeld ? .flying : .landing
        case .landing(let landing): landing.isEmergency ? .emergency : .landing
        }
    }
}
