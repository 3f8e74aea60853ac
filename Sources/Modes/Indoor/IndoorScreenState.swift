package import ModeKit
package import RouteKit
package import PointCloud
package import UAVLink

/// What the indoor screen shows. All positions are metres in `world_origin`.
package struct IndoorScreenState: DialogScreenState, Hashable, Sendable {
    // The map, in drawing order.

    /// The points; `nil` before a map was opened.
    package var picture: PlacedIndoorMap?
    package var view = IndoorViewKind.above
    /// The camera of the view.
    package var camera = CloudCamera(centre: .zero, metresPerDot: 0.1)
    /// The layer shown, 0 is the lowest; `nil` for all layers.
    package var layer: Int?
    /// The lines of the safety area's border, each through positions; empty when it is not known or is switched off.
    package var border: [[Vector3]] = []
    /// The lines of the obstacles of the world that plans are checked in.
    package var obstacles: [[Vector3]] = []
    /// The planned path, thinned for drawing; empty while there is none.
    package var path: [Vector3] = []
    /// The line from the vehicle to the start of the route that it holds; empty when it does not lead there.
    package var wayToStart: [Vector3] = []
    /// The flown part of the trajectory that was sent.
    package var flown: [Vector3] = []
    /// Positions of the vehicle in the last minute, oldest first.
    package var trail: [Vector3] = []
    /// The vehicle; `nil` while its position is not known.
    package var vehicle: IndoorVehicle?
    /// Position of the cursor.
    package var cursor = Vector3.zero
    package var scaleBar = ScaleBar(metres: 1, label: "1 m")

    // The text panel, and the route on the map.

    /// The map's name and contents.
    package var title = ""
    /// The layer shown and its height range.
    package var layerText = ""
    /// The world that plans are checked in.
    package var worldText = ""
    /// The route, its plan and its flight.
    package var route = RouteScreenState()

    /// Whether the vehicle has maps that can be fetched now.
    package var fetchesMaps = false

    // Overlays.

    /// Long work in progress.
    package var work: IndoorProgressLine?
    /// The open prompt.
    package var prompt: IndoorPrompt?
    /// The confirmation required before something is sent or flown.
    package var confirmation: ConfirmationRequest?

    /// An empty state without a map.
    package init() {}
}
