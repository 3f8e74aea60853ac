public import RouteFlight
public import PointCloud
internal import Trajectories

/// State that is kept when the screen is left: the map, the route, the view.
@MainActor
public final class IndoorDocument {
    /// The map as read; `nil` before one was opened.
    public internal(set) var map: IndoorMap?
    /// How maps are prepared.
    public var options = IndoorMap.Options()
    /// The route and its undo history.
    public var editor = RouteEditor()
    /// Settings for making and checking trajectories.
    public var settings = TrajectorySettings()
    /// Settings for planning a path through the map.
    public var planning = IndoorPlanSettings()
    /// The kind of view.
    public var view = IndoorViewKind.above
    /// The camera; `nil` for the default.
    public var camera: CloudCamera?
    /// The layer shown; `nil` for all layers.
    public var layer: Int?
    /// The controllers of the vehicles' routes, shared with the map mode.
    let flights: RouteFlights
    /// Number of maps loaded so far.
    var loads = 0
    /// Number of times a map was placed in a world so far.
    var placements = 0

    /// An empty state.
    public init(flights: RouteFlights = RouteFlights()) { self.flights = flights }
}
