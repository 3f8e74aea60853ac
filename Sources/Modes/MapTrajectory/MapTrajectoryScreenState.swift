package import ModeKit
package import RouteKit

/// What the map screen shows.
package struct MapTrajectoryScreenState: DialogScreenState, Hashable, Sendable {
    // The map, in drawing order.

    /// The visible part of the world.
    package var viewport = MapViewport(centre: MapPlace(east: 0, north: 0), metresPerColumn: 1)
    /// The background: roads, buildings and the like; empty when none was loaded or it is hidden.
    package var background: [MapShape] = []
    /// Whether there is a background, shown or hidden.
    package var hasBackground = false
    /// The grid: meridians and parallels with a known world origin, else metres.
    package var grid: [MapGridLine] = []
    /// The corners of the safety area, in order, closed; empty when none is known or it is disabled.
    package var safetyArea: [MapPlace] = []
    /// The outlines of the geofences of opened files that the route must not leave.
    package var fences: [[MapPlace]] = []
    /// The outlines of obstacles and exclusion zones.
    package var obstacles: [[MapPlace]] = []
    /// The take-off position; `nil` when not known.
    package var home: MapPlace?
    /// The planned path, thinned for drawing; empty while there is none.
    package var path: [MapPlace] = []
    /// The line from the vehicle to the start of the route that it holds; empty when it does not lead there.
    package var wayToStart: [MapPlace] = []
    /// The flown part of the trajectory that was sent.
    package var flown: [MapPlace] = []
    package var vehicles: [MapVehicle] = []
    /// Position of the cursor.
    package var cursor = MapPlace(east: 0, north: 0)
    /// The direction of true north, radians from the map's up, clockwise positive.
    package var northRadians = 0.0
    package var scaleBar = ScaleBar(metres: 10, label: "10 m")

    // The text panel, and the route on the map.

    /// The route, its plan and its flight.
    package var route = RouteScreenState()
    /// The world: source of its origin, zone, safety area.
    package var sessionLine = ""

    // Overlays.

    /// A prompt for a line of text.
    package var prompt: MapPrompt?
    /// The confirmation required before something is sent or flown.
    package var confirmation: ConfirmationRequest?

    package init() {}
}

/// A prompt of the map.
package typealias MapPrompt = Prompt<MapPromptKind>

/// What a prompt asks for.
package enum MapPromptKind: PromptKind, CaseIterable {
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
    /// z of the ground, for a file whose heights are above it.
    case missingGround
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

    /// Files and folders are completed.
    package var completes: Bool {
        switch self {
        case .open, .save, .background, .world: true
        default: false
        }
    }
}
