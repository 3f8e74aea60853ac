package import FlightControl
package import ModeKit
package import UAVLink

/// What the joystick screen shows.
package struct JoystickScreenState: Hashable, Sendable {
    /// A line of text with its weight.
    package struct Line: Hashable, Sendable {
        package var text: String
        /// Its importance.
        package var weight: Notice.Weight

        package init(_ text: String, _ weight: Notice.Weight = .information) {
            self.text = text
            self.weight = weight
        }
    }

    /// A top view of a vehicle, in the axes of its frame: x east, y north, metres.
    package struct Map: Hashable, Sendable {
        /// Its last confirmed position.
        package var position: Vector3
        /// Its heading, ENU radians.
        package var headingRadians: Double
        /// Its last confirmed velocity, metres per second.
        package var velocity: Vector3
        /// The predicted current position; `nil` when it cannot be predicted.
        package var predicted: Vector3?
        /// Where it was last seen on the ground; `nil` if that is not known.
        package var home: Vector3?
        /// Past positions, oldest first.
        package var trail: [Vector3] = []

        /// A vehicle; at standstill unless a velocity is given.
        package init(position: Vector3, headingRadians: Double, velocity: Vector3 = .zero) {
            self.position = position
            self.headingRadians = headingRadians
            self.velocity = velocity
        }
    }

    /// What Enter does to control.
    package enum Toggle: Hashable, Sendable {
        case take, cancel, release
        /// The vehicle is being stopped.
        case nothing
    }

    /// The control state in one word: RELEASED, WAITING, ENGAGED, STOPPING.
    package var control = Line("RELEASED")
    /// What Enter does.
    package var toggle = Toggle.take
    /// The next step, or what is missing for it.
    package var advice = ""
    /// What then happens by itself, and the key that cancels it; empty when nothing does.
    package var pending = ""
    /// Why steering last ended, and the outcome of the hover command.
    package var lastStop: Line?
    /// The vehicle and its flight state.
    package var vehicle = ""
    /// The flight state at its end, which is never cut.
    package var flight = ""
    /// The input device.
    package var source = ""
    /// How long a key takes from the terminal to its setpoint; `nil` where none was timed.
    package var keyDelay: Duration?
    /// A note on the input device.
    package var sourceNote: Line?
    /// The assignment of stick axes.
    package var layout = StickLayout.mode2
    /// The axes that the vehicle has.
    package var axes = VehicleCapabilities.Steering.Axes.all
    /// Whether the vehicle takes the deflection of a stick, so that the speeds are only asked for.
    package var isDeflection = false
    /// Whether the vehicle takes off on command.
    package var hasTakeOff = true
    /// Whether the take-off only clears an emergency.
    package var clearsEmergency = false
    /// Whether Enter may take control: not of a vehicle that cannot fly any more.
    package var takesControl = true
    /// Whether the vehicle lands on command.
    package var hasLanding = true
    /// Whether it can be disarmed on command.
    package var hasDisarming = false
    /// Whether the vehicle accepts commands: not in an emergency.
    package var acceptsCommands = true
    /// Whether no command reaches any of the vehicles.
    package var isLinkLost = false
    /// Whether a pilot flies the vehicle by radio: Enter takes no control of it.
    package var isFlownByRadio = false
    /// Whether another pilot has control authority: F12 takes it over, Enter does not.
    package var isControlledByOther = false
    /// Whether hover would change what the vehicle does: it is refused in a take-off, and a landing goes on.
    package var canHover = true
    /// Whether the vehicle takes velocities in both frames.
    package var hasFrames = true
    /// Whether the vehicle reports its height above ground.
    package var hasHeight = true
    /// Why there is no top view; `nil` if there is one.
    package var mapObstacle: String?
    /// The position of the sticks.
    package var sticks = StickPosition.neutral
    /// The motion sent, in the axes of ``frame``: m/s and rad/s, counter-clockwise positive.
    package var asked = Motion.none
    /// Whether ``asked`` is being sent.
    package var isSending = false
    package var limits = SpeedLimits.defaultLimits
    /// The frame of velocities.
    package var frame = VelocitySetpoint.Frame.body
    /// The configured setpoint rate, Hz.
    package var rateHertz = 100.0
    /// Rate of setpoints handed to the network, Hz; `nil` when not known.
    package var sentHertz: Double?
    /// Rate of setpoints applied on the vehicle's side, Hz; `nil` when not known.
    package var appliedHertz: Double?
    package var link = LinkKind.udp
    /// Age of the position.
    package var poseAge: Duration?
    /// The top view of the vehicle.
    package var map: Map?
    /// The velocity of a vehicle without a position, metres per second, z up; `nil` where there is a ``map``, or none is known.
    package var velocity: Vector3?
    /// Age of ``velocity``.
    package var velocityAge: Duration?
    /// Height above ground, metres.
    package var heightMetres: Double?
    /// The estimator's ceiling, metres.
    package var ceilingMetres: Double?
    /// The command in progress.
    package var underWay: String?
    /// The open confirmation.
    package var question: ConfirmationRequest?

    package init() {}
}
