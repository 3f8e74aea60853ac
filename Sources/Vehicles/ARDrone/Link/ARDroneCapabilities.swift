package import UAVLink

extension VehicleCapabilities {
    /// What an AR.Drone 2 has: take-off, landing, hover, sticks, and the way to a place on the map if a GPS receiver is plugged
    /// in; no position of its own, no maps and no trajectories.
    ///
    /// ``UAVLink/Command/emergencyLand`` stops its motors at once: it falls.
    package static let arDrone: Self = {
        var drone = Self(
            machine: "AR.Drone", commands: [.takeoff, .land, .hover, .emergencyLand, .goTo],
            destinations: .latitudeLongitude,
            steering: Steering(axes: .all, frames: .body, unit: .deflection, most: .arDrone),
            telemetry: [.velocity, .height, .flight, .battery, .gnss, .range, .topicRates, .messages])
        drone.emergencyStopsMotors = true
        drone.takeOffClearsEmergency = true
        return drone
    }()
}

extension VehicleCapabilities.Steering.Speeds {
    /// The speeds that stand for a full deflection of an AR.Drone's sticks: climb and turn are configured
    /// (``ARDroneSettings``); what its tilt of 12 degrees flies was not measured.
    package static let arDrone = Self(
        horizontalMetresPerSecond: 2, verticalMetresPerSecond: Double(ARDroneSettings.climb) / 1000,
        turningRadiansPerSecond: ARDroneSettings.turn)
}
