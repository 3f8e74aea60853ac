internal import UAVLink

/// Of the vehicles that are commanded those that fly home and land there.
package struct ReturnHomeTargets: Sendable {
    package var vehicles: [LoggedInVehicle]
    /// The titles of the others, which stand on the ground with their motors off.
    package var leftOut: [String]
}

extension Fleet {
    /// Which of some vehicles fly home: all but those that are known to stand, and all where each of them stands. A landing is sent to all of
    /// them instead.
    package func returnHomeTargets(of vehicles: [LoggedInVehicle]) -> ReturnHomeTargets {
        let now = clock.now
        let standing = vehicles.filter { $0.link.latestTelemetry?.showsMotorsOff(now: now) == true }
        guard standing.count < vehicles.count else { return ReturnHomeTargets(vehicles: vehicles, leftOut: []) }
        return ReturnHomeTargets(
            vehicles: vehicles.filter { vehicle in !standing.contains { $0.id == vehicle.id } },
            leftOut: standing.map(\.title))
    }
}

extension Telemetry {
    /// Whether it shows, at this time, that the motors are off, and nothing that the vehicle is in the air.
    func showsMotorsOff(now: MonotonicTime) -> Bool {
        guard let flight, flight.age(now: now) < .seconds(2), flight.value.state == .disarmed else { return false }
        return showsFlight(now: now) != true
    }
}
