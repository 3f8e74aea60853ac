public import FlightControl
public import UAVLink

/// What the joystick's screen shows.
public struct JoystickScreenState: Hashable, Sendable {
    /// A line with its weight.
    public struct Line: Hashable, Sendable {
        /// The text.
        public var text: String
        /// How much it matters.
        public var weight: Notice.Weight

        /// A line.
        public init(_ text: String, _ weight: Notice.Weight = .information) {
            self.text = text
            self.weight = weight
        }
    }

    /// A vehicle from above, in the axes of its frame: x east, y north, metres.
    public struct Map: Hashable, Sendable {
        /// Its last confirmed position.
        public var position: Vector3
        /// Its heading, ENU radians.
        public var headingRadians: Double
        /// Its last confirmed velocity, metres per second.
        public var velocity: Vector3
        /// Where it must be by now; `nil` when that cannot be told.
        public var predicted: Vector3?
        /// Where it was, the oldest first.
        public var trail: [Vector3] = []

        /// A vehicle that stands still.
        public init(position: Vector3, headingRadians: Double, velocity: Vector3 = .zero) {
            self.position = position
            self.headingRadians = headingRadians
            self.velocity = velocity
        }
    }

    /// One word for who has control, big: RELEASED, WAITING, ENGAGED, STOPPING.
    public var control = Line("RELEASED")
    /// What comes next, or what is missing.
    public var advice = ""
    /// Why steering last ended, and what the hover came to.
    public var lastStop: Line?
    /// The vehicle and what it is doing.
    public var vehicle = ""
    /// Where sticks come from.
    public var source = ""
    /// What one must know of the source.
    public var sourceNote: Line?
    /// Which stick does what.
    public var layout = StickLayout.mode2
    /// Where the sticks stand.
    public var sticks = StickPosition.neutral
    /// What is sent: forward, left, up in m/s, turn in degrees a second, counter-clockwise positive.
    public var asked = Motion.none
    /// Whether ``asked`` is being sent.
    public var isSending = false
    /// The speed limits.
    public var limits = SpeedLimits.modest
    /// What forward refers to.
    public var frame = VelocitySetpoint.Frame.body
    /// Setpoints a second: asked for.
    public var rateHertz = 100.0
    /// Setpoints a second: handed to the network; `nil` when not known.
    public var sentHertz: Double?
    /// Setpoints a second: given to the vehicle by its end; `nil` when not known.
    public var appliedHertz: Double?
    /// What carries the link.
    public var link = LinkKind.udp
    /// How old the position is.
    public var poseAge: Duration?
    /// The vehicle from above.
    public var map: Map?
    /// Above ground, metres.
    public var heightMetres: Double?
    /// The ceiling, metres.
    public var ceilingMetres: Double?
    /// The command under way.
    public var underWay: String?
    /// What is asked; yes or no.
    public var question: String?

    /// Nothing known.
    public init() {}
}
