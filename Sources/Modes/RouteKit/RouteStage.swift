/// The stage of a trajectory.
public enum RouteStage: String, Hashable, Sendable {
    /// There is no trajectory.
    case nothing = "no trajectory"
    /// It is being planned.
    case planning = "planning"
    /// It was planned and passed the checks.
    case ready = "ready to send"
    /// It was planned, but a check failed.
    case failed = "a check failed"
    /// It is being sent to the vehicle.
    case sending = "sending"
    /// The vehicle has it.
    case sent = "on the vehicle"
    /// The vehicle flies to its first point.
    case toStart = "flying to the start"
    /// The vehicle follows it.
    case flying = "flying the trajectory"
    /// It was stopped.
    case stopped = "stopped"
    /// It was flown to its end.
    case flown = "flown"
}
