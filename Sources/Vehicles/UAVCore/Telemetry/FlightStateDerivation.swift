internal import UAVLink

/// What the switches of the flight stack add up to.
///
/// ```
///              armed           output on,          flying normally
///   disarmed --------> armed ---------------> takingOff -----------> flying
///      ^                 ^   landoff tracker       |                  |  landoff tracker
///      |  disarmed       |                         |  state "land"    v
///      +-----------------+-------------------------+--------------> landing
/// ```
/// In the air, with the emergency or the failsafe controller at work, it is `emergency`. One tracker does both take-off
/// and landing, and begins either with a state that says nothing; then the state before decides.
struct FlightStateDerivation {
    /// `nil` until it was heard.
    var isArmed: Bool?
    var isOffboard = false
    var control: MRSMsgs.ControlManagerDiagnostics?

    /// The trackers and controllers of the flight stack's default configuration.
    private enum Name {
        static let onGround: Set<String> = ["NullTracker", ""]
        static let landoff = "LandoffTracker"
        static let emergency: Set<String> = ["EmergencyController", "FailsafeController"]
    }

    func state(after before: FlightState) -> FlightState {
        guard let control else {
            guard let isArmed else { return .unknown }
            return isArmed ? .armed : .disarmed
        }
        if isArmed == false { return .disarmed }
        let isControlled = control.outputEnabled && !Name.onGround.contains(control.activeTracker)
        guard isControlled else { return isArmed == nil ? .unknown : .armed }
        if Name.emergency.contains(control.activeController) { return .emergency }
        if control.activeTracker == Name.landoff {
            switch control.trackerStatus.state {
            case MRSMsgs.TrackerStatus.stateTakeoff: return .takingOff
            case MRSMsgs.TrackerStatus.stateLand: return .landing
            default: return before == .flying || before == .landing ? .landing : .takingOff
            }
        }
        // Another tracker flies; `flying_normally` lags behind a change of trackers by one message.
        return .flying
    }

    /// All switches.
    func status(after before: FlightState) -> FlightStatus {
        FlightStatus(
            state: state(after: before), isArmed: isArmed ?? false, isOffboard: isOffboard,
            isOutputEnabled: control?.outputEnabled ?? false, isFlyingNormally: control?.flyingNormally ?? false)
    }
}
