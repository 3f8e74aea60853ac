/// What a machine can do, whatever its flight stack: commands, steering, telemetry, with units, frames and limits.
///
/// Every number here is in SI units: metres, radians, seconds.
public struct VehicleCapabilities: Hashable, Sendable {
    /// The kind of machine, for messages: "MRS vehicle", "Tello". Text from the vehicle's side: untrusted.
    public var machine: String
    /// The commands that it executes; every other one is refused by the link and not sent.
    public var commands: CommandKinds
    /// What positions of ``Command/goTo(_:)`` may refer to.
    public var destinations: Destinations
    /// How it takes setpoints; `nil` if it cannot be steered.
    public var steering: Steering?
    /// The parts of ``Telemetry`` that it reports.
    public var telemetry: TelemetryParts
    /// The questions about limits, world and maps that it can answer.
    public var survey: SurveyParts
    /// The largest number of samples of a trajectory; 0 if it flies none.
    public var mostTrajectoryPoints: Int

    /// Whether ``Command/emergencyLand`` stops the motors, so that the vehicle falls instead of descending.
    public var emergencyStopsMotors = false
    /// Whether the horizontal axes of its velocity are its own, as it stood when it was switched on, instead of east and north.
    public var hasOwnVelocityAxes = false
    /// Whether a ``Command/takeoff`` in an emergency clears it, and does not take off: another one does.
    public var takeOffClearsEmergency = false
    /// Whether its nodes are of ROS 2, so that a recording of it is.
    public var isROS2 = false
    /// Whether its link is a ``RobotLink``: it is driven by text. Not sent over the channel.
    public var isDrivenByText = false
    /// Whether its link is a ``FlightPlanLink``: it flies plans of its own commands. Not sent over the channel.
    public var fliesPlans = false

    /// The longest ``machine``, bytes.
    public static let longestMachine = 64

    /// What positions of a goto may refer to.
    public struct Destinations: OptionSet, Hashable, Sendable {
        /// The bits, as on the channel.
        public let rawValue: UInt8
        /// A set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A frame of the vehicle, by its name: metres, ENU.
        public static let frame = Self(rawValue: 1)
        /// ``FrameName/latitudeLongitude``: degrees for x and y.
        public static let latitudeLongitude = Self(rawValue: 2)
        /// Added to the vehicle's current reference: metres, ENU.
        public static let relative = Self(rawValue: 4)
        /// The body frame: metres, x forward, y left, z up.
        public static let body = Self(rawValue: 8)
        /// Everything above.
        public static let all: Self = [.frame, .latitudeLongitude, .relative, .body]
    }

    /// Questions of ``SurveyLink``.
    public struct SurveyParts: OptionSet, Hashable, Sendable {
        /// The bits, as on the channel.
        public let rawValue: UInt8
        /// A set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Its motion limits.
        public static let limits = Self(rawValue: 1)
        /// The position of its world frame.
        public static let worldOrigin = Self(rawValue: 2)
        /// Maps of its surroundings.
        public static let maps = Self(rawValue: 4)
        /// Its world file: border, heights and obstacles. Older companions cannot report it.
        public static let worldFile = Self(rawValue: 8)
        /// Everything above.
        public static let all: Self = [.limits, .worldOrigin, .maps, .worldFile]
    }

    /// The capabilities of a machine.
    public init(
        machine: String, commands: CommandKinds, destinations: Destinations = [], steering: Steering?,
        telemetry: TelemetryParts, survey: SurveyParts = [], mostTrajectoryPoints: Int = 0
    ) {
        self.machine = machine
        self.commands = commands
        self.destinations = destinations
        self.steering = steering
        self.telemetry = telemetry
        self.survey = survey
        self.mostTrajectoryPoints = mostTrajectoryPoints
    }

    /// A vehicle with the flight stack of the MRS group: it has everything; its limits are those of its flight envelope.
    public static let mrs = Self(
        machine: "MRS vehicle", commands: .all, destinations: .all,
        steering: Steering(axes: .all, frames: .all), telemetry: .all, survey: .all,
        mostTrajectoryPoints: Trajectory.maximumPoints)

    /// The same in ROS 2.
    public static let mrsInROS2: Self = {
        var vehicle = mrs
        vehicle.isROS2 = true
        return vehicle
    }()

    /// ``mrs``, simulated.
    public static let simulatedMRS: Self = {
        var simulated = mrs
        simulated.machine = simulation + mrs.machine
        return simulated
    }()

    /// What ``machine`` begins with for a simulated one.
    private static let simulation = "simulated "

    /// Whether the machine says that it is a simulated one.
    public var isSimulated: Bool { machine.hasPrefix(Self.simulation) }

    /// The kind of a ``machine``, whether it is real or simulated. Untrusted, as that is.
    public static func model(of machine: String) -> String {
        machine.hasPrefix(simulation) ? String(machine.dropFirst(simulation.count)) : machine
    }
}

extension VehicleCapabilities {
    /// How a machine takes a ``VelocitySetpoint``.
    ///
    /// A neutral setpoint is accepted in every frame: it only stops motion.
    public struct Steering: Hashable, Sendable {
        /// The directions of motion that can be asked for; a setpoint must be 0 along the others.
        public var axes: Axes
        /// The axes in which velocities may be given; never empty.
        public var frames: Frames
        /// How the machine treats a velocity.
        public var unit: Unit
        /// The speeds that it follows at most; `nil` if it does not say, or reports them with its flight envelope.
        public var most: Speeds?

        /// Directions of motion.
        public struct Axes: OptionSet, Hashable, Sendable {
            /// The bits, as on the channel.
            public let rawValue: UInt8
            /// A set from its bits.
            public init(rawValue: UInt8) { self.rawValue = rawValue }
            /// Forward and back (x).
            public static let forward = Self(rawValue: 1)
            /// To the left and right (y).
            public static let sideways = Self(rawValue: 2)
            /// Up and down (z).
            public static let climb = Self(rawValue: 4)
            /// Turning (heading rate).
            public static let turn = Self(rawValue: 8)
            /// Everything above.
            public static let all: Self = [.forward, .sideways, .climb, .turn]
        }

        /// The axes of velocities.
        public struct Frames: OptionSet, Hashable, Sendable {
            /// The bits, as on the channel.
            public let rawValue: UInt8
            /// A set from its bits.
            public init(rawValue: UInt8) { self.rawValue = rawValue }
            /// ``VelocitySetpoint/Frame/world``: needs a heading.
            public static let world = Self(rawValue: 1)
            /// ``VelocitySetpoint/Frame/body``.
            public static let body = Self(rawValue: 2)
            /// Both.
            public static let all: Self = [.world, .body]

            /// Whether setpoints in this frame are accepted.
            public func contains(_ frame: VelocitySetpoint.Frame) -> Bool {
                switch frame {
                case .world: contains(Self.world)
                case .body: contains(Self.body)
                }
            }
        }

        /// What a machine does with a velocity.
        public enum Unit: UInt8, Hashable, Sendable, CaseIterable {
            /// It is controlled to that velocity, m/s and rad/s.
            case velocity = 0
            /// It has only the deflection of a stick: its link sends velocity divided by ``Steering/most``, and what speed
            /// results is not measured.
            case deflection = 1
        }

        /// Speeds of a machine.
        public struct Speeds: Hashable, Sendable {
            /// In the horizontal plane, m/s.
            public var horizontalMetresPerSecond: Double
            /// Up and down, m/s.
            public var verticalMetresPerSecond: Double
            /// Turning, rad/s.
            public var turningRadiansPerSecond: Double

            /// Speeds, each 0 or above.
            public init(
                horizontalMetresPerSecond: Double, verticalMetresPerSecond: Double, turningRadiansPerSecond: Double
            ) {
                self.horizontalMetresPerSecond = horizontalMetresPerSecond
                self.verticalMetresPerSecond = verticalMetresPerSecond
                self.turningRadiansPerSecond = turningRadiansPerSecond
            }
        }

        /// How a machine takes setpoints.
        public init(axes: Axes, frames: Frames, unit: Unit = .velocity, most: Speeds? = nil) {
            self.axes = axes
            self.frames = frames
            self.unit = unit
            self.most = most
        }

        /// Whether a setpoint is along axes and in a frame that the machine takes.
        public func accepts(_ setpoint: VelocitySetpoint) -> Bool {
            if setpoint.isNeutral { return true }
            let velocity = setpoint.velocityMetresPerSecond
            return frames.contains(setpoint.frame) && (velocity.x == 0 || axes.contains(.forward))
                && (velocity.y == 0 || axes.contains(.sideways)) && (velocity.z == 0 || axes.contains(.climb))
                && (setpoint.headingRateRadiansPerSecond == 0 || axes.contains(.turn))
        }
    }

    /// Parts of ``Telemetry``.
    public struct TelemetryParts: OptionSet, Hashable, Sendable {
        /// The bits, as on the channel.
        public let rawValue: UInt16
        /// A set from its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// Position and heading.
        public static let pose = Self(rawValue: 1)
        /// Velocity in world axes.
        public static let velocity = Self(rawValue: 2)
        /// Height above ground.
        public static let height = Self(rawValue: 4)
        /// The flight state.
        public static let flight = Self(rawValue: 8)
        /// The battery.
        public static let battery = Self(rawValue: 16)
        /// Satellite navigation.
        public static let gnss = Self(rawValue: 32)
        /// The tracker's state.
        public static let tracker = Self(rawValue: 64)
        /// The state estimator.
        public static let estimator = Self(rawValue: 128)
        /// The downward range finder.
        public static let range = Self(rawValue: 256)
        /// The rates of its topics.
        public static let topicRates = Self(rawValue: 512)
        /// Status messages.
        public static let messages = Self(rawValue: 1024)
        /// Everything above.
        public static let all = Self(rawValue: 2047)
    }
}
