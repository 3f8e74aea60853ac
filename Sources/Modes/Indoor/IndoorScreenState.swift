public import ModeKit
public import RouteKit
public import PointCloud
public import UAVLink

/// What the indoor screen shows. All places are metres in `world_origin`.
public struct IndoorScreenState: Hashable, Sendable {
    // The map, from the bottom to the top.

    /// The points; absent before a map was opened.
    public var picture: IndoorPicture?
    /// From where it is looked at.
    public var view = IndoorViewKind.above
    /// The same in figures.
    public var camera = CloudCamera(centre: .zero, metresPerDot: 0.1)
    /// Which layer is shown, 0 the lowest; all of them when absent.
    public var layer: Int?
    /// The sampled path that would be flown, thinned for drawing; empty while there is none.
    public var path: [Vector3] = []
    /// Whether ``path`` belongs to the route as it is now; otherwise it is being made anew.
    public var isPathCurrent = true
    /// What was flown of the trajectory that was sent.
    public var flown: [Vector3] = []
    /// The points of the route.
    public var route: [IndoorPoint] = []
    /// Where the vehicle was in the last minute, the oldest first.
    public var trail: [Vector3] = []
    /// The vehicle, when it tells where it is.
    public var vehicle: IndoorVehicle?
    /// Where the keyboard's cross is.
    public var cursor = Vector3.zero
    /// A length to compare with.
    public var scaleBar = ScaleBar(metres: 1, label: "1 m")

    // The words beside it.

    /// The map's name and what is in it.
    public var title = ""
    /// Which layer, with its heights.
    public var layerText = ""
    /// Where the cross is.
    public var cursorLine = ""
    /// What the chosen point says; empty when none is chosen.
    public var point: [LabeledValue] = []
    /// What the plan comes to.
    public var plan: [LabeledValue] = []
    /// What the checks found, failures first.
    public var findings: [FindingLine] = []
    /// What happens with the trajectory.
    public var stage = RouteStage.nothing
    /// How much of the flight is done, 0 to 1; absent when none is under way.
    public var progress: Double?
    /// The error of what was flown.
    public var trackError: [LabeledValue] = []
    /// Whether the view goes with the vehicle.
    public var followsVehicle = false
    /// Whether a step can be taken back.
    public var canUndo = false
    /// Whether a step that was taken back can be done again.
    public var canRedo = false

    // Over it.

    /// Long work under way.
    public var work: IndoorWorkLine?
    /// A question that waits for a line of text.
    public var prompt: IndoorPrompt?
    /// What must be agreed to before something is sent or flown.
    public var confirmation: ConfirmationRequest?

    /// No map.
    public init() {}
}
