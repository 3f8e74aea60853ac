package import UAVLink

extension FlightStatus {
    /// What a vehicle that stands on the ground does not have yet and needs to fly, as far as its machine has it: `output`, `offboard`,
    /// `take-off`.
    package func missingToFly(of machine: VehicleCapabilities) -> [String] {
        guard state == .armed || state == .disarmed else { return [] }
        var missing: [String] = []
        if !isOutputEnabled, machine.commands.contains(.enableOutput) { missing.append("output") }
        if !isOffboard, machine.commands.contains(.offboard) { missing.append("offboard") }
        if machine.commands.contains(.takeoff) { missing.append("take-off") }
        return missing
    }
}
