/// What happens with the trajectory.
public enum RouteStage: String, Hashable, Sendable {
    /// There is none.
    case nothing = "no trajectory"
    /// It is being made.
    case planning = "planning"
    /// It was made and passed the checks.
    case ready = "ready to send"
    /// It was made, and a check failed.
    case failed = "a check failed"
    /// It is on its way to the vehicle.
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
