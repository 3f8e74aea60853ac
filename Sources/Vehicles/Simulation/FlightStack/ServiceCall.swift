public import UAVLink

/// The requests that the flight stack's services accept.
public enum ServiceCall: Hashable, Sendable {
    /// `hw_api/arming`.
    case arming(Bool)
    /// `control_manager/arm`.
    case managerArm(Bool)
    /// `control_manager/toggle_output`.
    case toggleOutput(Bool)
    /// `hw_api/offboard`.
    case offboard
    /// `uav_manager/takeoff`.
    case takeoff
    /// `uav_manager/land`.
    case land
    /// `uav_manager/land_home`.
    case landHome
    /// `uav_manager/land_there`.
    case landThere(PlaceReference)
    /// `control_manager/hover`.
    case hover
    /// `control_manager/ehover`.
    case ehover
    /// `control_manager/eland`.
    case eland
    /// `control_manager/failsafe` and `failsafe_escalating`.
    case failsafe
    /// `control_manager/pirouette`.
    case pirouette
    /// `control_manager/goto`, in the control frame.
    case goTo(Vector3, headingRadians: Double)
    /// `control_manager/goto_fcu`, in the body frame without tilt.
    case goToBody(Vector3, headingRadians: Double)
    /// `control_manager/goto_relative`, added to the tracker's reference.
    case goToRelative(Vector3, headingRadians: Double)
    /// `control_manager/goto_altitude`, metres in the control frame.
    case goToAltitude(Double)
    /// `control_manager/set_heading`, radians.
    case setHeading(Double)
    /// `control_manager/set_heading_relative`, radians.
    case setHeadingRelative(Double)
    /// `control_manager/reference` and `emergency_reference`.
    case reference(PlaceReference)
    /// `control_manager/velocity_reference`.
    case velocityReference(VelocityReference)
    /// `control_manager/trajectory_reference`.
    case trajectoryReference(TrajectoryReference)
    /// `control_manager/goto_trajectory_start`.
    case goToTrajectoryStart
    /// `control_manager/start_trajectory_tracking`.
    case startTrajectory
    /// `control_manager/stop_trajectory_tracking`.
    case stopTrajectory
    /// `control_manager/resume_trajectory_tracking`.
    case resumeTrajectory
    /// The camera's service, ``SimulatorConfiguration/snapshotService``.
    case snapshot
    /// `constraint_manager/set_constraints`.
    case setConstraints(String)
    /// `gain_manager/set_gains`.
    case setGains(String)
    /// `control_manager/switch_tracker`.
    case switchTracker(String)
    /// `control_manager/switch_controller`.
    case switchController(String)
    /// `estimation_manager/change_estimator`.
    case changeEstimator(String)
    /// `control_manager/enable_callbacks`.
    case enableCallbacks(Bool)
    /// `control_manager/use_safety_area`.
    case useSafetyArea(Bool)
    /// `control_manager/bumper`.
    case bumper(Bool)
    /// `control_manager/set_min_z`.
    case setMinimumZ(frame: FrameName, metres: Double)
    /// `control_manager/validate_reference`.
    case validateReference(PlaceReference)
    /// Ours, no service of the real stack: a safety pilot takes the vehicle over by radio (`true`), or requests offboard mode again.
    case radio(Bool)
    /// Ours: that pilot lands the vehicle by radio and disarms it.
    case radioLanding

    /// The request for a link's command.
    public init(_ command: Command) {
        self =
            switch command {
            case .arm(let on): .arming(on)
            case .enableOutput(let on): .toggleOutput(on)
            case .offboard: .offboard
            case .takeoff: .takeoff
            case .land: .land
            case .landHome: .landHome
            case .hover: .hover
            case .emergencyHover: .ehover
            case .emergencyLand: .eland
            case .goTo(let destination): Self(destination)
            case .altitude(let metres): .goToAltitude(metres)
            case .heading(let radians): .setHeading(radians)
            case .turn(let radians): .setHeadingRelative(radians)
            case .uploadTrajectory(let trajectory): .trajectoryReference(TrajectoryReference(trajectory))
            case .goToTrajectoryStart: .goToTrajectoryStart
            case .startTrajectory: .startTrajectory
            case .stopTrajectory: .stopTrajectory
            case .resumeTrajectory: .resumeTrajectory
            case .snapshot: .snapshot
            }
    }

    private init(_ destination: Command.Destination) {
        let (position, heading) = (destination.position, destination.headingRadians)
        self =
            switch destination.reference {
            case .frame(.current): .goTo(position, headingRadians: heading)
            case .frame(let frame):
                .reference(PlaceReference(frame: frame, position: position, headingRadians: heading))
            case .relative: .goToRelative(position, headingRadians: heading)
            case .body: .goToBody(position, headingRadians: heading)
            }
    }
}

/// An answer of the flight stack.
public struct ServiceAnswer: Hashable, Sendable {
    /// Whether the request was accepted.
    public var success: Bool
    /// Its own text.
    public var message: String
    /// Whether the call itself fails (ROS's ok byte 0, with an empty text), as that of `toggle_output` does.
    public var callFails: Bool
    /// Whether a trajectory's points were changed.
    public var isModified: Bool
    /// How long the real service takes to answer, seconds.
    public var answerDelaySeconds: Double

    static func yes(_ message: String, answerDelaySeconds: Double = 0) -> Self {
        Self(
            success: true, message: message, callFails: false, isModified: false, answerDelaySeconds: answerDelaySeconds
        )
    }

    static func no(_ message: String) -> Self {
        Self(success: false, message: message, callFails: false, isModified: false, answerDelaySeconds: 0)
    }

    /// A call that fails without a text.
    public static let failed = Self(
        success: false, message: "", callFails: true, isModified: false, answerDelaySeconds: 0)
}
