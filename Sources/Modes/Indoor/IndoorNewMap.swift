internal import ModeKit
internal import FlightControl
internal import PointCloud
internal import UAVLink

/// How a map is shown at first, and fitted into the view.
extension IndoorPresenter {
    /// Fits a new map into the view, with the cursor in its centre.
    func showNewMap() {
        interactor.desk.camera = nil
        lastLayer = nil
        if let bounds = interactor.picture?.layers.cloud.bounds { cursor = bounds.centre }
        change { $0.look($0.kind) }
        fit()
        showVehicleLayer()
        if let note = interactor.frameNote { router.say(Notice(.information, note)) }
        // Last: each notice hides the one before, and the title says how the map was moved.
        for note in interactor.desk.map?.notes ?? [] { router.say(Notice(.warning, note)) }
    }

    /// Above a vehicle on the ground: its own layer has the floor, which would hide the room as the ceiling does.
    private static let heightAboveGround = 1.0

    /// Begins at the layer of a vehicle that flies inside the map, or at one above a vehicle that stands in it.
    private func showVehicleLayer() {
        guard let layers = interactor.picture?.layers, let vehicle = interactor.vehicle?.position,
            let bounds = layers.cloud.bounds
        else { return }
        if interactor.flyingVehicle != nil {
            guard bounds.contains(vehicle),
                let layer = layers.borders.dropFirst().firstIndex(where: { vehicle.z <= $0 })
            else { return }
            interactor.desk.layer = layer - 1
            cursor = vehicle
        } else {
            // Its height is that of its centre, or of its feet: the lowest points of the map may be above it or below.
            let height = vehicle.z + Self.heightAboveGround
            guard bounds.contains(Vector3(x: vehicle.x, y: vehicle.y, z: bounds.centre.z)),
                (bounds.minimum.z...bounds.maximum.z).contains(height)
            else { return }
            showLayer(layers.layer(atHeight: height))
            (cursor.x, cursor.y) = (vehicle.x, vehicle.y)
        }
    }

    /// Fits the whole map into the plot.
    func fit() {
        guard let bounds = interactor.picture?.layers.cloud.bounds else { return }
        change { $0.fit(bounds) }
        interactor.desk.isFitted = true
    }
}
