internal import UAVLink

/// Of the vehicles that are commanded those that a landing is sent to.
package struct LandingTargets: Sendable {
    package var vehicles: [LoggedInVehicle]
    /// The titles of the others, which stand on the ground with their motors off.
    package var leftOut: [String]

    /// `; not sent to uav2: on the ground with its motors off`; empty where it is sent to all.
    package var exception: String {
        guard !leftOut.isEmpty else { return "" }
        return
            "; not sent to \(leftOut.joined(separator: ", ")): on the ground with \(leftOut.count == 1 ? "its" : "their") motors off"
    }
}

extension Fleet {
    /// Which of some vehicles a landing is sent to: all but those that are known to stand. In doubt it is sent, and to all of them where none
    /// is known to fly: a landing is never held back.
    package func landingTargets(of vehicles: [LoggedInVehicle]) -> LandingTargets {
        let standing = vehicles.filter(standsWithMotorsOff)
        guard standing.count < vehicles.count else { return LandingTargets(vehicles: vehicles, leftOut: []) }
        return LandingTargets(
            vehicles: vehicles.filter { vehicle in !standing.contains { $0.id == vehicle.id } },
            leftOut: standing.map(\.title))
    }

    /// Whether telemetry of now shows it on the ground with its motors off, and nothing that was commanded may have turned them on since.
    private func standsWithMotorsOff(_ vehicle: LoggedInVehicle) -> Bool {
        guard !hasBegunCommand(within: .seconds(10)), vehicle.link.quality.isConnected else { return false }
        return vehicle.link.latestTelemetry?.showsMotorsOff(now: clock.now) == true
    }
}

extension Telemetry {
    /// Whether it shows, at this time, that the motors are off, and nothing that the vehicle is in the air.
    func showsMotorsOff(now: MonotonicTime) -> Bool {
        guard let flight, flight.age(now: now) < .seconds(2), flight.value.state == .disarmed else { return false }
        return showsFlight(now: now) != true
    }
}
