package import UAVLink

extension VehicleCapabilities {
    /// What a Tello has: take-off, landing, hover, straight moves and turns relative to its body, sticks; no position, no
    /// satellite navigation, no maps and no trajectories; flight plans of its own commands.
    ///
    /// ``UAVLink/Command/emergencyLand`` stops its motors at once: it falls.
    package static let tello: Self = {
        var tello = Self(
            machine: "Tello", commands: [.takeoff, .land, .hover, .emergencyLand, .goTo, .turn], destinations: .body,
            steering: Steering(axes: .all, frames: .body, unit: .deflection, most: .tello),
            telemetry: [.velocity, .height, .flight, .battery, .range, .topicRates, .messages])
        tello.emergencyStopsMotors = true
        tello.hasOwnVelocityAxes = true
        tello.fliesPlans = true
        return tello
    }()
}

extension VehicleCapabilities.Steering.Speeds {
    /// The speeds that stand for a full deflection of a Tello's sticks: the fastest of its own `go`, and its turns. What a full
    /// deflection flies was not measured.
    package static let tello = Self(
        horizontalMetresPerSecond: 1, verticalMetresPerSecond: 0.6, turningRadiansPerSecond: .pi / 2)
}
