import ChannelProtocol
import UAVLink

/// Who may move the vehicle, stated a second time: from what is seen at the companion's borders, and knowing nothing of
/// `ControlAuthority`, which is judged by it. Where the two could differ by what only the companion knows, this asks for less.
/// All times are by the companion's clock.
struct PilotRule {
    private let lease: Duration
    private var pilot: SessionID?
    /// He has given a neutral setpoint, and neither silence nor a command has come since.
    private var isSteering = false
    private var isMoving = false
    private var lastSetpoint = MonotonicTime.atOnce

    init(lease: Duration) { self.lease = lease }

    // MARK: What is seen

    /// He requested control authority and was notified that he has it.
    mutating func granted(to session: SessionID, at now: MonotonicTime) {
        lapse(at: now)
        guard pilot != session else { return }
        pilot = session
        isSteering = false
    }

    /// He gave it back, is not heard, or has gone.
    mutating func lost(_ session: SessionID) {
        guard pilot == session else { return }
        pilot = nil
        isSteering = false
    }

    /// A command is handed to the vehicle.
    mutating func begun(_ command: Command, by session: SessionID, at now: MonotonicTime) {
        lapse(at: now)
        if command.isStop, pilot != session { pilot = nil }
        if command.interruptsSteering { isSteering = false }
    }

    /// The companion hears that the vehicle lands or is flown by others.
    mutating func vehicleIsElsewhere(at now: MonotonicTime) {
        if isSteering, now - lastSetpoint < lease { pilot = nil }
        isSteering = false
    }

    mutating func companionStarted() {
        pilot = nil
        isSteering = false
    }

    // MARK: What it allows

    /// A setpoint reaches the vehicle; gives the rule that this breaks, and how.
    mutating func applied(by session: SessionID, moves: Bool, at now: MonotonicTime) -> (rule: String, what: String)? {
        lapse(at: now)
        lastSetpoint = now
        guard pilot == session else {
            return (
                "one pilot", "a setpoint of \(session) is passed on, in control is \(pilot.map { "\($0)" } ?? "none")"
            )
        }
        if moves, !isSteering { return ("neutral first", "\(session) moves it and has not begun neutral") }
        isSteering = true
        isMoving = moves
        return nil
    }

    private mutating func lapse(at now: MonotonicTime) {
        guard isSteering, now - lastSetpoint >= lease else { return }
        isSteering = false
        if isMoving { pilot = nil }
    }
}

extension Command {
    /// Every pilot may give it at any time: stated here again, for the same reason.
    fileprivate var isStop: Bool {
        switch self {
        case .hover, .land, .emergencyHover, .emergencyLand, .stopTrajectory: true
        default: false
        }
    }
}
