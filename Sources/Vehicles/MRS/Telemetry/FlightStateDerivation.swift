internal import MRSMessages
internal import UAVLink

/// Derives the flight state from the flight stack's switches.
///
/// ```
///              armed           output on,          flying normally
///   disarmed --------> armed ---------------> takingOff -----------> flying
///      ^                 ^   landoff tracker       |                  |  landoff tracker
///      |  disarmed       |                         |  state "land"    v
///      +-----------------+-------------------------+--------------> landing
/// ```
/// In the air, with the emergency or failsafe controller active, the state is `emergency`. One tracker does both
/// take-off and landing, and its first state is ambiguous; then the previous flight state decides.
struct FlightStateDerivation {
    /// `nil` until it was received.
    var isArmed: Bool?
    /// `nil` if it was not received, or the autopilot has no name for its mode, as MRS's simulator in `uav_status`.
    var isOffboard: Bool?
    var control: MRSMsgs.ControlManagerDiagnostics?

    /// The trackers and controllers of the flight stack's default configuration.
    private enum Name {
        static let onGround: Set<String> = ["NullTracker", ""]
        static let landoff = "LandoffTracker"
        static let emergency: Set<String> = ["EmergencyController", "FailsafeController"]
    }

    /// Whether the flight stack flies the vehicle, as far as it says.
    private var isControlled: Bool {
        control.map { $0.outputEnabled && !Name.onGround.contains($0.activeTracker) } ?? false
    }

    func state(after before: FlightState) -> FlightState {
        guard let control else {
            // An armed vehicle may be in the air, which the control manager alone tells.
            return isArmed == false ? .disarmed : .unknown
        }
        if isArmed == false { return .disarmed }
        guard isControlled else { return isArmed == nil ? .unknown : .armed }
        if Name.emergency.contains(control.activeController) { return .emergency }
        if control.activeTracker == Name.landoff {
            switch control.trackerStatus.state {
            case MRSMsgs.TrackerStatus.stateTakeoff: return .takingOff
            case MRSMsgs.TrackerStatus.stateLand: return .landing
            default: return before == .flying || before == .landing ? .landing : .takingOff
            }
        }
        // Another tracker is active; `flying_normally` lags behind a change of trackers by one message.
        return .flying
    }

    /// The complete status.
    func status(after before: FlightState) -> FlightStatus {
        FlightStatus(
            state: state(after: before), isArmed: isArmed ?? false,
            // MRS's stack switches its output off when the vehicle leaves offboard mode.
            isOffboard: isOffboard ?? isControlled,
            isOutputEnabled: control?.outputEnabled ?? false, isFlyingNormally: control?.flyingNormally ?? false)
    }
}
