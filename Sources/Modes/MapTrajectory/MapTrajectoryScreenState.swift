public import ModeKit
public import RouteKit

/// What the map shows.
public struct MapTrajectoryScreenState: Hashable, Sendable {
    // The map itself, from the bottom to the top.

    /// Which part of the world is shown.
    public var viewport = MapViewport(centre: MapPlace(east: 0, north: 0), metresPerColumn: 1)
    /// Roads, buildings and the like; empty when none were loaded or they are hidden.
    public var background: [MapShape] = []
    /// The grid: meridians and parallels where the world's place on the globe is known, else metres.
    public var grid: [MapGridLine] = []
    /// The corners of the safety area, in order; the last joins the first. Empty when none is known.
    public var safetyArea: [MapPlace] = []
    /// Where the vehicle took off, when it is known.
    public var home: MapPlace?
    /// The points and the straight ways between them.
    public var route: [RouteMarker] = []
    /// The sampled path that would be flown, thinned for drawing; empty while there is none.
    public var path: [MapPlace] = []
    /// Whether ``path`` belongs to the route as it is now; otherwise it is being made anew.
    public var isPathCurrent = true
    /// What was flown of the trajectory that was sent.
    public var flown: [MapPlace] = []
    /// The vehicles.
    public var vehicles: [MapVehicle] = []
    /// Where the keyboard's cross is.
    public var cursor = MapPlace(east: 0, north: 0)
    /// The direction of true north, radians from the map's up, clockwise positive.
    public var northRadians = 0.0
    /// A length to compare with.
    public var scaleBar = ScaleBar(metres: 10, label: "10 m")

    // The words beside it.

    /// The cross in latitude and longitude, UTM and MGRS (or metres only), and where it lies from home.
    public var cursorLines: [String] = []
    /// The session: origin and how it is known, zone, safety area.
    public var sessionLine = ""
    /// What the chosen point says; empty when none is chosen.
    public var point: [LabeledValue] = []
    /// What the plan comes to: length, time, samples, spacing, battery.
    public var plan: [LabeledValue] = []
    /// What the checks found, failures first.
    public var findings: [FindingLine] = []
    /// Which finding is chosen; the cross is there.
    public var chosenFinding: Int?
    /// What happens with the trajectory: `not sent`, `sending`, `sent`, `flying to the start`, `flying`, ...
    public var stage = RouteStage.nothing
    /// How much of what is under way is done, 0 to 1; absent when nothing is.
    public var progress: Double?
    /// The error of what was flown: mean, p95, maximum.
    public var trackError: [LabeledValue] = []
    /// Whether the view goes with the vehicle.
    public var followsVehicle = false
    /// How many steps can be taken back and done again.
    public var canUndo = false
    /// Whether a step that was taken back can be done again.
    public var canRedo = false

    // Over it.

    /// A question that waits for a line of text.
    public var prompt: MapPrompt?
    /// What must be agreed to before something is sent or flown.
    public var confirmation: ConfirmationRequest?

    /// An empty map.
    public init() {}
}

/// A question that waits for a line of text.
public struct MapPrompt: Hashable, Sendable {
    /// What is asked for.
    public var kind: MapPromptKind
    /// The question.
    public var title: String
    /// What stands in the line at first.
    public var text: String
    /// What can be typed, as an example.
    public var hint: String
    /// What was wrong with the last answer; empty when nothing.
    public var note: String

    /// A question.
    public init(_ kind: MapPromptKind, title: String, text: String = "", hint: String = "", note: String = "") {
        self.kind = kind
        self.title = title
        self.text = text
        self.hint = hint
        self.note = note
    }
}

/// What can be asked for in a line of text.
public enum MapPromptKind: Hashable, Sendable, CaseIterable {
    /// The chosen point's z.
    case altitude
    /// How long the vehicle stays at the chosen point.
    case hold
    /// Where the nose points at the chosen point: degrees, `path`, or `to X Y`.
    case heading
    /// Where the camera looks at the chosen point.
    case cameraPitch
    /// The speed that is not exceeded.
    case speed
    /// How far corners may be cut, `straight` for not at all.
    case deviation
    /// A file of points to open.
    case open
    /// A file to write the points to.
    case save
    /// The altitude of the points of a file that have none: `12 ground`, `350 amsl`, `5 home`, `5 world`.
    case missingAltitude
    /// The frame of the metres of a file that names none: `world_origin`, `local_origin`, `utm_origin`.
    case missingFrame
    /// A file of roads and buildings to draw.
    case background
    /// A world file.
    case world
    /// The origin: latitude and longitude.
    case origin
    /// The UTM zone that is forced for the session.
    case zone
    /// Where to look: latitude and longitude, MGRS, or metres.
    case goToPlace
}

extension MapTrajectoryScreenState {
    /// What stands beside the map.
    var panel: RoutePanelState {
        var panel = RoutePanelState()
        (panel.stage, panel.progress, panel.isPathCurrent) = (stage, progress, isPathCurrent)
        (panel.route, panel.plan, panel.point, panel.trackError) = (route, plan, point, trackError)
        (panel.findings, panel.chosenFinding, panel.cursorLines) = (findings, chosenFinding, cursorLines)
        return panel
    }
}
