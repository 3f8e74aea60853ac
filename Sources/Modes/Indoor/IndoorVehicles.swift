internal import FlightControl
internal import RouteFlight
package import UAVLink

/// Where the selected vehicle is.
extension IndoorInteractor {
    /// The selected vehicle; `nil` when its position is not known.
    package var vehicle: IndoorVehicle? {
        guard let pose = fleet.selected?.link.latestTelemetry?.pose,
            let position = WorldPosition(session: session).position(of: pose.value)
        else { return nil }
        return IndoorVehicle(
            position: position, headingRadians: pose.value.headingRadians,
            isOld: pose.age(now: clock.now) > .seconds(1))
    }

    /// The position of the selected vehicle while it is in the air; `nil` otherwise.
    var flyingVehicle: Vector3? {
        fleet.selected?.link.latestTelemetry?.flight?.value.state.isAirborne == true ? vehicle?.position : nil
    }

    /// Positions of the selected vehicle in the last minute.
    package var trail: [Vector3] {
        let world = WorldPosition(session: session)
        let poses = fleet.selectedID.flatMap { fleet.history(of: $0)?.trail(at: clock.now) } ?? []
        return poses.compactMap { world.position(of: $0.value) }
    }

    /// Start of the flight: the vehicle's position while it flies; `nil` (the first point) otherwise.
    var start: Vector3? {
        let state = fleet.selected?.link.latestTelemetry?.flight?.value.state
        return state == .flying ? vehicle?.position : nil
    }
}
