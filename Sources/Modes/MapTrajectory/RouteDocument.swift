package import ModeKit
package import RouteFlight
package import RouteFiles
internal import Trajectories

/// State that is kept when the map is left: the route, the world, the settings.
@MainActor
package final class RouteDocument {
    /// The route and its undo history.
    package var editor = RouteEditor()
    /// Setup of the world: origin, zone, safety area.
    package var setup = WorldSetup()
    /// Settings for making and checking trajectories.
    package var settings = TrajectorySettings()
    /// The background: roads, buildings and the like.
    package var features = MapFeatures()
    /// Whether the background is shown.
    package var showsBackground = true
    /// The last viewport; `nil` before the map was first shown.
    package var viewport: MapViewport?
    /// The last cursor position.
    package var cursor = MapPlace(east: 0, north: 0)
    /// The file that the route was last read from or written to.
    package var routePath = ""
    /// The points as that file has them.
    var savedPoints: [PlannedPoint] = []
    /// Whether the route has points that no file has.
    package var hasUnsavedPoints: Bool { !editor.points.isEmpty && editor.points != savedPoints }
    /// The controllers of the vehicles' routes, shared with the indoor mode.
    let flights: RouteFlights
    /// Take-off positions, by vehicle number.
    var takeOffPositions: [Int: TakeOffPosition] = [:]

    package init(flights: RouteFlights = RouteFlights()) { self.flights = flights }
}

/// The take-off position of a vehicle.
struct TakeOffPosition: Hashable {
    var place: MapPlace
    var z: Double
}
