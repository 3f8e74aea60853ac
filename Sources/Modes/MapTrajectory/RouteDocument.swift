public import ModeKit
public import RouteFlight
public import RouteFiles

/// State that is kept when the map is left: the route, the world, the settings.
@MainActor
public final class RouteDocument {
    /// The route and its undo history.
    public var editor = RouteEditor()
    /// Setup of the world: origin, zone, safety area.
    public var setup = WorldSetup()
    /// Settings for making and checking trajectories.
    public var settings = TrajectorySettings()
    /// The background: roads, buildings and the like.
    public var features = MapFeatures()
    /// Whether the background is shown.
    public var showsBackground = true
    /// The last viewport; `nil` before the map was first shown.
    public var viewport: MapViewport?
    /// The last cursor position.
    public var cursor = MapPlace(east: 0, north: 0)
    /// The file that the route was last read from or written to.
    public var routePath = ""
    /// The controllers of the vehicles' routes, shared with the indoor mode.
    let flights: RouteFlights
    /// Take-off positions, by vehicle number.
    var takeOffPositions: [Int: TakeOffPosition] = [:]

    /// An empty state.
    public init(flights: RouteFlights = RouteFlights()) { self.flights = flights }
}

/// The take-off position of a vehicle.
struct TakeOffPosition: Hashable {
    var place: MapPlace
    var z: Double
}
