public import RouteFlight
internal import RouteKit
public import PointCloud
internal import Trajectories

/// What stays when the screen is left and opened again: the map, the route, the view, what was sent.
@MainActor
public final class IndoorDesk {
    /// The map as it was read; absent before one was opened.
    public internal(set) var map: IndoorMap?
    /// How maps are prepared.
    public var options = IndoorMap.Options()
    /// The route with its steps back.
    public var editor = RouteEditor()
    /// How trajectories are made and checked.
    public var settings = TrajectorySettings()
    /// How the way through the map is found.
    public var planning = IndoorPlanSettings()
    /// From where the map is looked at.
    public var view = IndoorViewKind.above
    /// The same in figures; absent before the first look.
    public var camera: CloudCamera?
    /// Which layer is shown; all of them when absent.
    public var layer: Int?
    /// The flights, by the number of the vehicle in the fleet.
    var flights: [Int: TrajectoryFlight] = [:]
    /// What the vehicle does with what was sent.
    var onVehicle = RouteStage.nothing
    /// The route's revision that was sent.
    var sentRevision: Int?
    /// How many maps were loaded so far.
    var loads = 0

    /// An empty desk.
    public init() {}
}
