package import RouteFlight
package import RouteKit
package import PointCloud
package import Trajectories
internal import UAVLink

/// State that is kept when the screen is left: the map, the route, the view.
@MainActor
package final class IndoorDocument: KeptRoute {
    /// The map as read; `nil` before one was opened.
    package internal(set) var map: IndoorMap?
    /// How maps are prepared.
    package var options = IndoorMap.Options()
    /// The route and its undo history.
    package var editor = RouteEditor()
    /// The file that points were last read from or written to.
    package var lastPath = ""
    /// The file to propose for the points: that of the route, or else the last one.
    var pointsPath: String { editor.file ?? lastPath }
    /// The points that files have, by path: of the routes that undo and redo can bring back.
    package var savedPoints: [String: [PlannedPoint]] = [:]
    /// What files that were read have besides their points, by path: lost when the points are written over one.
    package var fileExtras: [String: [String]] = [:]
    /// What was read from the file of points that was opened last.
    var opened: LoadedRoute?
    /// The same as long as the route has a point of it; `nil` otherwise.
    var openedInUse: LoadedRoute? {
        guard let opened else { return nil }
        let places = Set(opened.points.map(\.position))
        return editor.points.contains { places.contains($0.position) } ? opened : nil
    }
    /// Settings for making and checking trajectories.
    package var settings = TrajectorySettings()
    /// Settings for planning a path through the map.
    package var planning = IndoorPlanSettings()
    /// Of each planned path that became the route, by its number: whether obstacles were avoided before.
    var takenPaths: [Int: Bool] = [:]
    package var view = IndoorViewKind.above
    /// The camera; `nil` for the default.
    package var camera: CloudCamera?
    /// Whether the camera fits the whole map into the plot, and was not moved since.
    var isFitted = false
    /// The layer shown; `nil` for all layers.
    package var layer: Int?
    package var owners = RouteOwners()
    package var writingKey: String { "S" }
    /// The controllers of the vehicles' routes and the world, shared with the map mode.
    let flights: RouteFlights
    /// Number of maps loaded so far.
    var loads = 0
    /// Number of times a map was placed in a world so far.
    var placements = 0

    package init(flights: RouteFlights = RouteFlights()) { self.flights = flights }

    /// Replaces the route by the points of a file.
    func replace(with loaded: LoadedRoute, from path: String) {
        editor.replace(with: loaded.points, file: path)
        isSaved(editor.points, in: path)
        opened = loaded
        fileExtras[path] = loaded.extras.isEmpty ? nil : loaded.extras
    }

    package func close() {
        lastPath = pointsPath
        // A path that was taken as the route is flown straight; the next route is not.
        if let avoided = editor.origin.flatMap({ takenPaths[$0] }) { planning.avoidsObstacles = avoided }
        editor = RouteEditor()
        (savedPoints, fileExtras, opened, takenPaths) = ([:], [:], nil, [:])
    }
}
