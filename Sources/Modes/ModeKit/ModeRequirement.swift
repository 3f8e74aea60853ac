package import UAVLink

extension Mode {
    /// What a vehicle must have for the mode to be of use.
    package var requirement: VehicleRequirement {
        switch self {
        case .login, .menu, .telemetry, .terminal, .latencyLab: VehicleRequirement()
        case .joystick: VehicleRequirement(isSteered: true)
        case .mapTrajectory, .indoor:
            VehicleRequirement(
                commands: [.uploadTrajectory, .goToTrajectoryStart, .startTrajectory, .stopTrajectory],
                telemetry: .pose)
        }
    }
}
