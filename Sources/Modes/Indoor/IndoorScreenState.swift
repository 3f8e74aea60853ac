public import ModeKit
public import RouteKit
public import PointCloud
public import UAVLink

/// What the indoor screen shows. All positions are metres in `world_origin`.
public struct IndoorScreenState: DialogScreenState, Hashable, Sendable {
    // The map, in drawing order.

    /// The points; `nil` before a map was opened.
    public var picture: PlacedIndoorMap?
    /// The kind of view.
    public var view = IndoorViewKind.above
    /// The camera of the view.
    public var camera = CloudCamera(centre: .zero, metresPerDot: 0.1)
    /// The layer shown, 0 is the lowest; `nil` for all layers.
    public var layer: Int?
    /// The planned path, thinned for drawing; empty while there is none.
    public var path: [Vector3] = []
    /// The line from the vehicle to the start of the route that it holds; empty when it does not lead there.
    public var wayToStart: [Vector3] = []
    /// The flown part of the trajectory that was sent.
    public var flown: [Vector3] = []
    /// Positions of the vehicle in the last minute, oldest first.
    public var trail: [Vector3] = []
    /// The vehicle; `nil` while its position is not known.
    public var vehicle: IndoorVehicle?
    /// Position of the cursor.
    public var cursor = Vector3.zero
    /// The scale bar.
    public var scaleBar = ScaleBar(metres: 1, label: "1 m")

    // The text panel, and the route on the map.

    /// The map's name and contents.
    public var title = ""
    /// The layer shown and its height range.
    public var layerText = ""
    /// The route, its plan and its flight.
    public var route = RouteScreenState()

    // Overlays.

    /// Long work in progress.
    public var work: IndoorProgressLine?
    /// The open prompt.
    public var prompt: IndoorPrompt?
    /// The confirmation required before something is sent or flown.
    public var confirmation: ConfirmationRequest?

    /// An empty state without a map.
    public init() {}
}
