public import FlightControl
public import UAVLink

/// What the joystick screen shows.
public struct JoystickScreenState: Hashable, Sendable {
    /// A line of text with its weight.
    public struct Line: Hashable, Sendable {
        /// The text.
        public var text: String
        /// Its importance.
        public var weight: Notice.Weight

        /// A line.
        public init(_ text: String, _ weight: Notice.Weight = .information) {
            self.text = text
            self.weight = weight
        }
    }

    /// A top view of a vehicle, in the axes of its frame: x east, y north, metres.
    public struct Map: Hashable, Sendable {
        /// Its last confirmed position.
        public var position: Vector3
        /// Its heading, ENU radians.
        public var headingRadians: Double
        /// Its last confirmed velocity, metres per second.
        public var velocity: Vector3
        /// The predicted current position; `nil` when it cannot be predicted.
        public var predicted: Vector3?
        /// Past positions, oldest first.
        public var trail: [Vector3] = []

        /// A vehicle; at standstill unless a velocity is given.
        public init(position: Vector3, headingRadians: Double, velocity: Vector3 = .zero) {
            self.position = position
            self.headingRadians = headingRadians
            self.velocity = velocity
        }
    }

    /// The control state in one word: RELEASED, WAITING, ENGAGED, STOPPING.
    public var control = Line("RELEASED")
    /// The next step, or what is missing for it.
    public var advice = ""
    /// Why steering last ended, and the outcome of the hover command.
    public var lastStop: Line?
    /// The vehicle and its flight state.
    public var vehicle = ""
    /// The input device.
    public var source = ""
    /// A note on the input device.
    public var sourceNote: Line?
    /// The assignment of stick axes.
    public var layout = StickLayout.mode2
    /// The axes that the vehicle has.
    public var axes = VehicleCapabilities.Steering.Axes.all
    /// Whether the vehicle takes the deflection of a stick, so that the speeds are only asked for.
    public var isDeflection = false
    /// Whether the vehicle takes off on command.
    public var hasTakeOff = true
    /// Whether the vehicle lands on command.
    public var hasLanding = true
    /// Whether the vehicle takes velocities in both frames.
    public var hasFrames = true
    /// Whether the vehicle reports its height above ground.
    public var hasHeight = true
    /// Why there is no top view; `nil` if there is one.
    public var mapObstacle: String?
    /// The position of the sticks.
    public var sticks = StickPosition.neutral
    /// The motion sent, in the axes of ``frame``: m/s and rad/s, counter-clockwise positive.
    public var asked = Motion.none
    /// Whether ``asked`` is being sent.
    public var isSending = false
    /// The speed limits.
    public var limits = SpeedLimits.defaultLimits
    /// The frame of velocities.
    public var frame = VelocitySetpoint.Frame.body
    /// The configured setpoint rate, Hz.
    public var rateHertz = 100.0
    /// Rate of setpoints handed to the network, Hz; `nil` when not known.
    public var sentHertz: Double?
    /// Rate of setpoints applied on the vehicle's side, Hz; `nil` when not known.
    public var appliedHertz: Double?
    /// The kind of link.
    public var link = LinkKind.udp
    /// Age of the position.
    public var poseAge: Duration?
    /// The top view of the vehicle.
    public var map: Map?
    /// Height above ground, metres.
    public var heightMetres: Double?
    /// The estimator's ceiling, metres.
    public var ceilingMetres: Double?
    /// The command in progress.
    public var underWay: String?
    /// The open confirmation.
    public var question: String?

    /// An empty state.
    public init() {}
}
