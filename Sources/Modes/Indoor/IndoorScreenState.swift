public import ModeKit
public import RouteKit
public import PointCloud
public import UAVLink

/// What the indoor screen shows. All positions are metres in `world_origin`.
public struct IndoorScreenState: Hashable, Sendable {
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
    /// Whether ``path`` matches the current route; otherwise it is being replanned.
    public var isPathCurrent = true
    /// The line from the vehicle to the start of the route that it holds; empty when it does not lead there.
    public var wayToStart: [Vector3] = []
    /// The flown part of the trajectory that was sent.
    public var flown: [Vector3] = []
    /// The points of the route.
    public var route: [IndoorPoint] = []
    /// Positions of the vehicle in the last minute, oldest first.
    public var trail: [Vector3] = []
    /// The vehicle; `nil` while its position is not known.
    public var vehicle: IndoorVehicle?
    /// Position of the cursor.
    public var cursor = Vector3.zero
    /// The scale bar.
    public var scaleBar = ScaleBar(metres: 1, label: "1 m")

    // The text panel.

    /// The map's name and contents.
    public var title = ""
    /// The layer shown and its height range.
    public var layerText = ""
    /// The cursor position as text.
    public var cursorLine = ""
    /// Facts on the selected point; empty when none is selected.
    public var point: [LabeledValue] = []
    /// Facts on the plan.
    public var plan: [LabeledValue] = []
    /// Findings of the checks, failures first.
    public var findings: [FindingLine] = []
    /// The stage of the trajectory.
    public var stage = RouteStage.nothing
    /// Progress of the upload or the flight, 0 to 1; `nil` when neither is in progress.
    public var progress: Double?
    /// The tracking error of the flight.
    public var trackError: [LabeledValue] = []
    /// Whether the view follows the vehicle.
    public var followsVehicle = false
    /// Whether an edit can be undone.
    public var canUndo = false
    /// Whether an undone edit can be redone.
    public var canRedo = false

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
