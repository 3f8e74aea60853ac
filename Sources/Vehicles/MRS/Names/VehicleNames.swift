public import UAVLink

/// The names of one vehicle's services and topics.
public struct VehicleNames: Hashable, Sendable {
    /// The vehicle's namespace without slashes, for example `uav1`.
    public let vehicle: String

    /// The longest name accepted; ROS itself has no limit.
    static let maximumLength = 64

    /// The names of the given vehicle.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` if it is not a valid name in ROS.
    public init(vehicle: String) throws(LinkError) {
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        guard let first = vehicle.utf8.first, isLetter(first), vehicle.utf8.count <= Self.maximumLength,
            vehicle.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
        else {
            throw LinkError(
                .invalidInput, "'\(vehicle)' is not a valid vehicle name",
                hint:
                    "a name is a letter, then letters, digits and '_', up to \(Self.maximumLength), for example uav1")
        }
        self.vehicle = vehicle
    }

    /// The full name of a service.
    public func name(of service: VehicleService) -> String { "/\(vehicle)/\(service.rawValue)" }

    /// The full name of a topic.
    public func name(of topic: VehicleTopic) -> String { "/\(vehicle)/\(topic.rawValue)" }

    /// The full name of the parameter with the path of the world file on the vehicle.
    public var worldParameter: String { "/\(vehicle)/control_manager/world_config" }

    /// The full name of the latched topic that shows the border of the safety area, `visualization_msgs/MarkerArray`.
    public var safetyAreaMarkers: String { "/\(vehicle)/control_manager/safety_area_markers" }
}

/// The services of a vehicle that this program calls, by their names relative to the vehicle's namespace.
public struct VehicleService: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name relative to the vehicle's namespace.
    public let rawValue: String

    /// A service by its relative name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Arm or disarm the motors.
    public static let arming = Self(rawValue: "hw_api/arming")
    /// Switch the autopilot to commands from the flight stack.
    public static let offboard = Self(rawValue: "hw_api/offboard")
    /// Switch the flight stack's control output on or off.
    public static let toggleOutput = Self(rawValue: "control_manager/toggle_output")
    /// Take off.
    public static let takeoff = Self(rawValue: "uav_manager/takeoff")
    /// Land here.
    public static let land = Self(rawValue: "uav_manager/land")
    /// Fly home and land.
    public static let landHome = Self(rawValue: "uav_manager/land_home")
    /// Stop and hold.
    public static let hover = Self(rawValue: "control_manager/hover")
    /// Stop, hold and accept no more references.
    public static let emergencyHover = Self(rawValue: "control_manager/ehover")
    /// Descend at once.
    public static let emergencyLand = Self(rawValue: "control_manager/eland")
    /// Fly to a place in the current frame.
    public static let goTo = Self(rawValue: "control_manager/goto")
    /// Fly by an offset.
    public static let goToRelative = Self(rawValue: "control_manager/goto_relative")
    /// Fly by an offset in the body frame.
    public static let goToBody = Self(rawValue: "control_manager/goto_fcu")
    /// Climb or descend to a height.
    public static let goToAltitude = Self(rawValue: "control_manager/goto_altitude")
    /// Turn to a heading.
    public static let setHeading = Self(rawValue: "control_manager/set_heading")
    /// Turn by an angle.
    public static let setHeadingRelative = Self(rawValue: "control_manager/set_heading_relative")
    /// Fly to a place in a named frame.
    public static let reference = Self(rawValue: "control_manager/reference")
    /// Move at a velocity for half a second.
    public static let velocity = Self(rawValue: "control_manager/velocity_reference")
    /// Load a trajectory.
    public static let trajectoryReference = Self(rawValue: "control_manager/trajectory_reference")
    /// Fly to the loaded trajectory's start.
    public static let goToTrajectoryStart = Self(rawValue: "control_manager/goto_trajectory_start")
    /// Start tracking it.
    public static let startTrajectory = Self(rawValue: "control_manager/start_trajectory_tracking")
    /// Stop tracking it.
    public static let stopTrajectory = Self(rawValue: "control_manager/stop_trajectory_tracking")
    /// Resume tracking it.
    public static let resumeTrajectory = Self(rawValue: "control_manager/resume_trajectory_tracking")
    /// Transform a reference from one of the vehicle's frames to another.
    public static let transformReference = Self(rawValue: "control_manager/transform_reference")
    /// The same of many references; not asked for where there is no border to transform.
    public static let transformReferenceArray = Self(rawValue: "control_manager/transform_reference_array")

    /// The services that every flight stack offers.
    public static let allCases: [Self] = [
        .arming, .offboard, .toggleOutput, .takeoff, .land, .landHome, .hover, .emergencyHover,
        .emergencyLand, .goTo, .goToRelative, .goToBody, .goToAltitude, .setHeading, .setHeadingRelative,
        .reference, .velocity, .trajectoryReference, .goToTrajectoryStart, .startTrajectory,
        .stopTrajectory, .resumeTrajectory, .transformReference,
    ]
}

/// The topics of a vehicle that this program knows, by their names relative to the vehicle's namespace.
///
/// The rates are those of the real flight stack on one machine. Others have others, so that nothing is judged by them:
/// see `TopicRateLearner`.
public enum VehicleTopic: String, Sendable, CaseIterable {
    /// `nav_msgs/Odometry`, 100 Hz.
    case odometry = "estimation_manager/odom_main"
    /// `mrs_msgs/UavState`, 100 Hz.
    case uavState = "estimation_manager/uav_state"
    /// `mrs_msgs/Float64Stamped`, 110 Hz.
    case heightAboveGround = "estimation_manager/height_agl"
    /// `mrs_msgs/EstimationDiagnostics`, 10 Hz.
    case estimationDiagnostics = "estimation_manager/diagnostics"
    /// `mrs_msgs/ControlManagerDiagnostics`, 10 Hz.
    case controlDiagnostics = "control_manager/diagnostics"
    /// `mrs_msgs/DynamicsConstraints`, 10 Hz; read once for planning, not subscribed to permanently.
    case currentConstraints = "control_manager/current_constraints"
    /// `mrs_msgs/ConstraintManagerDiagnostics`, 1 Hz.
    case constraintDiagnostics = "constraint_manager/diagnostics"
    /// `mrs_msgs/GainManagerDiagnostics`, 1 Hz.
    case gainDiagnostics = "gain_manager/diagnostics"
    /// `mrs_msgs/HwApiStatus`, 350 Hz.
    case hardwareStatus = "hw_api/status"
    /// `sensor_msgs/BatteryState`, 10 Hz.
    case battery = "hw_api/battery_state"
    /// `sensor_msgs/NavSatFix`, 41 Hz.
    case gnss = "hw_api/gnss"
    /// `sensor_msgs/Range`, 120 Hz.
    case distanceSensor = "hw_api/distance_sensor"
    /// `mrs_msgs/UavStatus`, 1 Hz.
    case uavStatus = "mrs_uav_status/uav_status"
    /// `mrs_msgs/VelocityReferenceStamped`, which the vehicle subscribes to.
    case velocityReference = "control_manager/velocity_reference"

    /// The topics that a link subscribes to: all that the vehicle publishes, except those read only on demand.
    public static let sent: [Self] = allCases.filter { $0 != .velocityReference && $0 != .currentConstraints }
}
