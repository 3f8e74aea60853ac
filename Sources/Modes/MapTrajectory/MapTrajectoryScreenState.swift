public import ModeKit
public import RouteKit

/// What the map screen shows.
public struct MapTrajectoryScreenState: DialogScreenState, Hashable, Sendable {
    // The map, in drawing order.

    /// The visible part of the world.
    public var viewport = MapViewport(centre: MapPlace(east: 0, north: 0), metresPerColumn: 1)
    /// The background: roads, buildings and the like; empty when none was loaded or it is hidden.
    public var background: [MapShape] = []
    /// The grid: meridians and parallels with a known world origin, else metres.
    public var grid: [MapGridLine] = []
    /// The corners of the safety area, in order, closed; empty when none is known or it is disabled.
    public var safetyArea: [MapPlace] = []
    /// The take-off position; `nil` when not known.
    public var home: MapPlace?
    /// The planned path, thinned for drawing; empty while there is none.
    public var path: [MapPlace] = []
    /// The line from the vehicle to the start of the route that it holds; empty when it does not lead there.
    public var wayToStart: [MapPlace] = []
    /// The flown part of the trajectory that was sent.
    public var flown: [MapPlace] = []
    /// The vehicles.
    public var vehicles: [MapVehicle] = []
    /// Position of the cursor.
    public var cursor = MapPlace(east: 0, north: 0)
    /// The direction of true north, radians from the map's up, clockwise positive.
    public var northRadians = 0.0
    /// The scale bar.
    public var scaleBar = ScaleBar(metres: 10, label: "10 m")

    // The text panel, and the route on the map.

    /// The route, its plan and its flight.
    public var route = RouteScreenState()
    /// The world: source of its origin, zone, safety area.
    public var sessionLine = ""

    // Overlays.

    /// A prompt for a line of text.
    public var prompt: MapPrompt?
    /// The confirmation required before something is sent or flown.
    public var confirmation: ConfirmationRequest?

    /// An empty map.
    public init() {}
}

/// A prompt of the map.
public typealias MapPrompt = Prompt<MapPromptKind>

/// What a prompt asks for.
public enum MapPromptKind: PromptKind, CaseIterable {
    /// The selected point's z.
    case altitude
    /// The hold time at the selected point.
    case hold
    /// The heading at the selected point: degrees, `path`, `cursor`, or `to X Y`.
    case heading
    /// The camera pitch at the selected point.
    case cameraPitch
    /// The maximum speed.
    case speed
    /// How far the path may deviate at corners; `straight` for not at all.
    case deviation
    /// A file of points to open.
    case open
    /// A file to write the points to.
    case save
    /// The altitude for the points of a file that gives none: `12 ground`, `350 amsl`, `5 home`, `5 world`.
    case missingAltitude
    /// The frame of the coordinates of a file that names none: `world_origin`, `local_origin`, `utm_origin`.
    case missingFrame
    /// A file of roads and buildings to draw.
    case background
    /// A world file.
    case world
    /// The world origin: latitude and longitude, with or without an altitude.
    case origin
    /// The UTM zone forced for the world.
    case zone
    /// A position to go to: latitude and longitude, MGRS, or metres.
    case goToPlace
}
