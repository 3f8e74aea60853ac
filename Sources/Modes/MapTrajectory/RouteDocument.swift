package import ModeKit
package import RouteFlight
package import RouteFiles
package import RouteKit
package import Trajectories

/// State that is kept when the map is left: the route, the view, the settings.
@MainActor
package final class RouteDocument: KeptRoute {
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
    /// The file that a route was last read from or written to.
    package var lastPath = ""
    /// The file to propose for the route: its own, or else the last one.
    var routePath: String { editor.file ?? lastPath }
    /// What files that were read have besides their points, by path: lost when the points are written over one.
    package var fileExtras: [String: [String]] = [:]
    /// The points that files have, by path: of the routes that undo and redo can bring back.
    package var savedPoints: [String: [PlannedPoint]] = [:]
    /// The files whose points the route has, or undo and redo can bring back, by number.
    private var opened: [Int: OpenedFile] = [:]
    private var openings = 0
    package var owners = RouteOwners()
    package var writingKey: String { "w" }
    /// The controllers of the vehicles' routes and the world, shared with the indoor mode.
    let flights: RouteFlights
    /// Take-off positions, by vehicle number.
    var takeOffPositions: [Int: TakeOffPosition] = [:]

    package init(flights: RouteFlights = RouteFlights()) { self.flights = flights }

    /// Replaces the route by the points of a file, and what was found in the file before.
    func replace(with loaded: LoadedRoute, from path: String) {
        openings += 1
        editor.replace(with: loaded.points, origin: openings, file: path)
        isSaved(editor.points, in: path)
        fileExtras[path] = loaded.extras.isEmpty ? nil : loaded.extras
        opened[openings] = OpenedFile(route: loaded, places: Set(loaded.points.map(\.position.onMap)))
        let origins = editor.origins
        opened = opened.filter { origins.contains($0.key) }
    }

    package func close() {
        lastPath = routePath
        editor = RouteEditor()
        (savedPoints, fileExtras, opened) = ([:], [:], [:])
        (viewport, cursor) = (nil, MapPlace(east: 0, north: 0))
    }

    /// The file from which the route is, as long as it still has a point of it; undo and redo bring back that of the route
    /// that they bring back.
    var file: LoadedRoute? { openedInUse?.route }

    private var openedInUse: OpenedFile? {
        guard let file = editor.origin.flatMap({ opened[$0] }),
            editor.points.contains(where: { file.places.contains($0.position.onMap) })
        else { return nil }
        return file
    }
}

/// What was read from a file, with the places of its points.
private struct OpenedFile {
    let route: LoadedRoute
    let places: Set<MapPlace>
}

/// The take-off position of a vehicle.
struct TakeOffPosition: Hashable {
    var place: MapPlace
    var z: Double
}
