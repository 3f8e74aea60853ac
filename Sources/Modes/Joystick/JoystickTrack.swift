internal import FlightControl
internal import UAVLink

/// Where the selected vehicle was.
extension JoystickInteractor {
    /// The selected vehicle's positions of the last minute, oldest first, recorded since log-in.
    var trail: [Vector3] {
        let poses = fleet.selectedID.flatMap { fleet.history(of: $0)?.trail(at: clock.now) } ?? []
        return poses.map(\.value.positionMetres)
    }

    /// Where the selected vehicle was last seen on the ground; `nil` if that is not known, or in another frame than it has now.
    var home: Vector3? {
        guard let vehicle = fleet.selected, let home = fleet.history(of: vehicle.id)?.home,
            home.frame == vehicle.link.latestTelemetry?.pose?.value.frame
        else { return nil }
        return home.positionMetres
    }
}
