package import UAVLink

extension Mode {
    /// What a vehicle must have for the mode to be of use.
    package var requirement: VehicleRequirement {
        switch self {
        case .login, .menu, .telemetry, .terminal, .latencyLab: VehicleRequirement()
        // It gives control of a vehicle that says that it flies.
        case .joystick: VehicleRequirement(isSteered: true, telemetry: .flight)
        case .robot: .drivenByText
        case .flightPlan: .flyingPlans
        case .mapTrajectory, .indoor:
            VehicleRequirement(
                commands: [.uploadTrajectory, .goToTrajectoryStart, .startTrajectory, .stopTrajectory],
                telemetry: .pose)
        }
    }

    /// Why the mode is of no use with a vehicle; `nil` if it is.
    ///
    /// - Parameter isReachedDirectly: whether the vehicle is reached by its own protocol only, so that there are no links to compare.
    package func obstacle(of capabilities: VehicleCapabilities, isReachedDirectly: Bool) -> String? {
        if self == .latencyLab, isReachedDirectly {
            return "it has no links to compare; 'uavlink latency' in a shell measures it"
        }
        return capabilities.lack(of: requirement)
    }
}
