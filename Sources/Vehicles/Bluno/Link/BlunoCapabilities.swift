package import UAVLink

extension VehicleCapabilities {
    /// What a robot behind a Bluno has: it is stopped, and driven forward, back and around; it has no place and no flight.
    ///
    /// ``UAVLink/Command/hover`` stops it. A full deflection is its program's highest speed; which speed that is nobody has measured.
    package static let bluno: Self = {
        var bluno = Self(
            machine: "Bluno robot", commands: .hover,
            steering: Steering(axes: [.forward, .turn], frames: .body, unit: .deflection, most: .bluno),
            telemetry: [.battery, .messages])
        bluno.isDrivenByText = true
        return bluno
    }()
}

extension VehicleCapabilities.Steering.Speeds {
    /// What stands for a full deflection: assumed, that of a small robot with two motors.
    package static let bluno = Self(
        horizontalMetresPerSecond: 0.5, verticalMetresPerSecond: 0, turningRadiansPerSecond: .pi / 2)
}
