public import ModeKit
public import RouteFlight
public import RouteFiles

/// What stays when the map is left and opened again: the route, the world, the settings, what was sent.
@MainActor
public final class RouteDesk {
    /// The route with its steps back.
    public var editor = RouteEditor()
    /// Where the world lies.
    public var setup = WorldSetup()
    /// How trajectories are made and checked.
    public var settings = TrajectorySettings()
    /// Roads, buildings and the like.
    public var features = MapFeatures()
    /// Whether they are shown.
    public var showsBackground = true
    /// What was looked at last; absent before the first look.
    public var viewport: MapViewport?
    /// Where the cross was.
    public var cursor = MapPlace(east: 0, north: 0)
    /// The file that the route came from or went to.
    public var routePath = ""
    /// The flights, by the number of the vehicle in the fleet.
    var flights: [Int: TrajectoryFlight] = [:]
    /// Where vehicles took off, by their number.
    var homes: [Int: MapHome] = [:]

    /// An empty desk.
    public init() {}
}

/// Where a vehicle took off.
struct MapHome: Hashable {
    var place: MapPlace
    var z: Double
}
