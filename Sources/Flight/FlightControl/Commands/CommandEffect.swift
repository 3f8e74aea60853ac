internal import UAVLink

extension Command {
    /// The parts of telemetry in which the effect of the command is seen.
    var shownBy: VehicleCapabilities.TelemetryParts {
        switch self {
        case .takeoff, .land, .landHome, .emergencyLand, .arm, .enableOutput, .offboard: .flight
        case .goTo, .altitude, .heading, .turn, .goToTrajectoryStart, .startTrajectory, .resumeTrajectory: .tracker
        case .uploadTrajectory(let trajectory): trajectory.fliesNow && !trajectory.loops ? .tracker : []
        case .hover, .emergencyHover, .stopTrajectory: .velocity
        case .snapshot: []
        }
    }
}
