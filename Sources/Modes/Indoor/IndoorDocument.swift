package import RouteFlight
package import PointCloud
internal import Trajectories

/// State that is kept when the screen is left: the map, the route, the view.
@MainActor
package final class IndoorDocument {
    /// The map as read; `nil` before one was opened.
    package internal(set) var map: IndoorMap?
    /// How maps are prepared.
    package var options = IndoorMap.Options()
    /// The route and its undo history.
    package var editor = RouteEditor()
    /// The file that the points were last read from or written to.
    var pointsPath = ""
    /// The points as that file has them.
    var savedPoints: [PlannedPoint] = []
    /// Whether the route has points that no file has.
    package var hasUnsavedPoints: Bool { !editor.points.isEmpty && editor.points != savedPoints }
    /// Settings for making and checking trajectories.
    package var settings = TrajectorySettings()
    /// Settings for planning a path through the map.
    package var planning = IndoorPlanSettings()
    /// Of each planned path that became the route, by its number: whether obstacles were avoided before.
    var takenPaths: [Int: Bool] = [:]
    package var view = IndoorViewKind.above
    /// The camera; `nil` for the default.
    package var camera: CloudCamera?
    /// The layer shown; `nil` for all layers.
    package var layer: Int?
    /// The controllers of the vehicles' routes, shared with the map mode.
    let flights: RouteFlights
    /// Number of maps loaded so far.
    var loads = 0
    /// Number of times a map was placed in a world so far.
    var placements = 0

    package init(flights: RouteFlights = RouteFlights()) { self.flights = flights }
}
