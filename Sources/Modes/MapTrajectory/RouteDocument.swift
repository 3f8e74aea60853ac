package import ModeKit
package import RouteFlight
package import RouteFiles
internal import Trajectories

/// State that is kept when the map is left: the route, the view, the settings.
@MainActor
package final class RouteDocument {
    /// The route and its undo history.
    package var editor = RouteEditor()
    /// Setup of the world: origin, zone, safety area; that of the indoor mode too.
    package var setup: WorldSetup {
        get { flights.setup }
        set { flights.setup = newValue }
    }
    /// Settings for making and checking trajectories.
    package var settings = TrajectorySettings()
    /// The background: roads, buildings and the like.
    package var features = MapFeatures()
    /// Whether the background is shown.
    package var showsBackground = true
    /// Whether there is a background to show or hide.
    var hasBackground: Bool { !features.features.isEmpty }
    /// The last viewport; `nil` before the map was first shown.
    package var viewport: MapViewport?
    /// The last cursor position.
    package var cursor = MapPlace(east: 0, north: 0)
    /// The file that the route was last read from or written to.
    package var routePath = ""
    /// What files that were read have besides their points, by path: lost when the points are written over one.
    var fileExtras: [String: [String]] = [:]
    /// The points as that file has them.
    var savedPoints: [PlannedPoint] = []
    /// The files whose points the route has, or undo and redo can bring back, by number.
    private var opened: [Int: OpenedFile] = [:]
    private var openings = 0
    /// Whether the route has points that no file has.
    package var hasUnsavedPoints: Bool { !editor.points.isEmpty && editor.points != savedPoints }
    /// The controllers of the vehicles' routes and the world, shared with the indoor mode.
    let flights: RouteFlights
    /// Take-off positions, by vehicle number.
    var takeOffPositions: [Int: TakeOffPosition] = [:]

    package init(flights: RouteFlights = RouteFlights()) { self.flights = flights }

    /// Replaces the route by the points of a file, and what was found in the file before.
    func replace(with loaded: LoadedRoute) {
        openings += 1
        editor.replace(with: loaded.points, origin: openings)
        opened[openings] = OpenedFile(
            findings: loaded.findings(), limits: loaded.limits, home: loaded.home,
            places: Set(loaded.points.map(\.position.onMap)))
        let origins = editor.origins
        opened = opened.filter { origins.contains($0.key) }
    }

    /// Findings about the file from which the route is, as long as it still has a point of it; undo and redo bring back
    /// those of the route that they bring back.
    var fileFindings: [TrajectoryFinding] { openedInUse?.findings ?? [] }

    /// The geofences of that file.
    var fileLimits: [NamedVolume] { openedInUse?.limits ?? [] }

    /// The planned home of that file.
    var fileHome: PlannedHome? { openedInUse?.home }

    private var openedInUse: OpenedFile? {
        guard let file = editor.origin.flatMap({ opened[$0] }),
            editor.points.contains(where: { file.places.contains($0.position.onMap) })
        else { return nil }
        return file
    }
}

/// What a file contains and the route leaves out, with the places of its points.
private struct OpenedFile {
    let findings: [TrajectoryFinding]
    let limits: [NamedVolume]
    let home: PlannedHome?
    let places: Set<MapPlace>
}

/// The take-off position of a vehicle.
struct TakeOffPosition: Hashable {
    var place: MapPlace
    var z: Double
}
