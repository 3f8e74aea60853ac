public import UAVLink

/// The names of one vehicle's services and topics.
public struct VehicleNames: Hashable, Sendable {
    /// The vehicle's namespace without slashes, for example `uav1`.
    public let vehicle: String

    /// The longest name taken; ROS itself has no limit.
    static let maximumLength = 64

    /// The names of the vehicle of that name.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` when it cannot be a name in ROS.
    public init(vehicle: String) throws(LinkError) {
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        guard let first = vehicle.utf8.first, isLetter(first), vehicle.utf8.count <= Self.maximumLength,
            vehicle.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
        else {
            throw LinkError(
                .invalidInput, "'\(vehicle)' cannot be a vehicle's name",
                hint:
                    "a name is a letter, then letters, digits and '_', at most \(Self.maximumLength), for example uav1")
        }
        self.vehicle = vehicle
    }

    /// The full name of a service.
    public func name(of service: VehicleService) -> String { "/\(vehicle)/\(service.rawValue)" }

    /// The full name of a topic.
    public func name(of topic: VehicleTopic) -> String { "/\(vehicle)/\(topic.rawValue)" }
}

/// The services of a vehicle that this program calls, by their names below the vehicle's.
public enum VehicleService: String, Sendable, CaseIterable {
    /// Motors on and off.
    case arming = "hw_api/arming"
    /// The autopilot takes commands from the flight stack.
    case offboard = "hw_api/offboard"
    /// The flight stack's control output on and off.
    case toggleOutput = "control_manager/toggle_output"
    /// Take off.
    case takeoff = "uav_manager/takeoff"
    /// Land here.
    case land = "uav_manager/land"
    /// Fly home and land.
    case landHome = "uav_manager/land_home"
    /// Stop and hold.
    case hover = "control_manager/hover"
    /// Stop, hold and take no more references.
    case emergencyHover = "control_manager/ehover"
    /// Descend at once.
    case emergencyLand = "control_manager/eland"
    /// Fly to a place in the current frame.
    case goTo = "control_manager/goto"
    /// Fly by an offset.
    case goToRelative = "control_manager/goto_relative"
    /// Fly by an offset in the body frame.
    case goToBody = "control_manager/goto_fcu"
    /// Climb or sink to a height.
    case goToAltitude = "control_manager/goto_altitude"
    /// Turn to a heading.
    case setHeading = "control_manager/set_heading"
    /// Turn by an angle.
    case setHeadingRelative = "control_manager/set_heading_relative"
    /// Fly to a place in a named frame.
    case reference = "control_manager/reference"
    /// Move at a velocity for half a second.
    case velocity = "control_manager/velocity_reference"
    /// Load a trajectory.
    case trajectoryReference = "control_manager/trajectory_reference"
    /// Fly to the loaded trajectory's start.
    case goToTrajectoryStart = "control_manager/goto_trajectory_start"
    /// Begin to follow it.
    case startTrajectory = "control_manager/start_trajectory_tracking"
    /// Stop following it.
    case stopTrajectory = "control_manager/stop_trajectory_tracking"
    /// Go on following it.
    case resumeTrajectory = "control_manager/resume_trajectory_tracking"
}

/// The topics of a vehicle that this program knows, by their names below the vehicle's.
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
    /// `mrs_msgs/VelocityReferenceStamped`, which the vehicle listens to.
    case velocityReference = "control_manager/velocity_reference"

    /// Messages a second on a vehicle where all is well, measured on the real flight stack; `nil` for what the vehicle
    /// does not send.
    public var expectedHertz: Double? {
        switch self {
        case .odometry, .uavState: 100
        case .heightAboveGround: 110
        case .estimationDiagnostics, .controlDiagnostics, .battery: 10
        case .constraintDiagnostics, .gainDiagnostics, .uavStatus: 1
        case .hardwareStatus: 350
        case .gnss: 41
        case .distanceSensor: 120
        case .velocityReference: nil
        }
    }

    /// What a vehicle sends: all but what it listens to.
    public static let sent: [Self] = allCases.filter { $0.expectedHertz != nil }
}
