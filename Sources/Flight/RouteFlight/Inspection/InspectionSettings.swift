public import Planning
public import UAVLink

/// User settings for an inspection.
public struct InspectionSettings: Hashable, Sendable {
    /// Vehicle size and margin. Default: a common hexacopter, 0.35 m from its centre to the tip of a propeller.
    public var body = VehicleBody(radiusMetres: 0.35, marginMetres: 0.2)
    /// Order in which the points are visited.
    public var order = PlanRequest.Order.best
    /// Whether the vehicle returns to the start.
    public var returns = false
    /// Whether unknown space counts as free; must be chosen explicitly.
    public var unknownIsOpen = false
    /// Radius around the start that counts as free because the vehicle is there, metres; 0: none.
    public var freeAroundStartMetres = 0.0
    /// Where the map's points were seen from, metres in `world_origin`; `nil`: the map's own viewpoint.
    public var viewpoints: [Vector3]?
    /// Edge of the search cells, metres; `nil`: derived from the vehicle's size.
    public var cellMetres: Double?
    /// Hold time at a point that has none, seconds: vehicle and camera come to rest.
    public var holdSeconds = 2.0

    /// Creates the default settings.
    public init() {}
}

/// Why there is no inspection plan.
public enum InspectionFailure: Error, Hashable, Sendable {
    /// There is no path, with the reason.
    case noPath(NoPath)
    /// An edited path is not safe: index of the segment, from 0, and the obstruction.
    case unsafe(segment: Int, Obstruction)
    /// A request that is invalid or too large; one line.
    case request(String)
    /// Planning was cancelled.
    case cancelled
}
