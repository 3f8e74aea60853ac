public import Planning
public import UAVLink

/// What a person sets for an inspection.
public struct InspectionSettings: Hashable, Sendable {
    /// The vehicle's size and the margin around it. The usual hexacopter: 0.35 m from its centre to the tip of a propeller.
    public var body = VehicleBody(radiusMetres: 0.35, marginMetres: 0.2)
    /// In which order the points are visited.
    public var order = PlanRequest.Order.best
    /// Whether the vehicle comes back to where it began.
    public var returns = false
    /// Whether space that nobody has seen counts as free; only on purpose.
    public var unknownIsOpen = false
    /// So far around the start everything is free because the vehicle is there, metres; 0: nothing is.
    public var freeAroundStartMetres = 0.0
    /// Where the map's points were seen from, metres in `world_origin`; absent: the map's own viewpoint.
    public var viewpoints: [Vector3]?
    /// Edge of the cells that are searched, metres; absent: as the vehicle needs.
    public var cellMetres: Double?
    /// How long the vehicle stays at a point that does not say, seconds: it comes to rest, and the camera does.
    public var holdSeconds = 2.0

    /// The usual ones.
    public init() {}
}

/// Why there is no inspection.
public enum InspectionFailure: Error, Hashable, Sendable {
    /// There is no path, and why.
    case noPath(NoPath)
    /// A path that was edited is not safe: the segment, counted from 0, and what is in the way.
    case unsafe(segment: Int, Obstruction)
    /// Something that was asked for makes no sense, or is too large; one line.
    case request(String)
    /// Nobody wanted it any more.
    case cancelled
}
