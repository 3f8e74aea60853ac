public import UAVLink

/// A planning request: places to visit.
public struct PlanRequest: Hashable, Sendable {
    /// In which order the places are visited.
    public enum Order: Hashable, Sendable {
        /// As given.
        case given
        /// The order with the shortest path: optimal for up to 12 places, a local optimum beyond.
        case best
    }

    /// Where the vehicle is, metres in the map's frame.
    public var start: Vector3
    /// The places to visit.
    public var places: [Vector3]
    /// In which order.
    public var order: Order
    /// Whether the path ends at the start.
    public var returns: Bool

    /// Largest number of places in a request.
    public static let maximumPlaces = 500

    /// A request.
    public init(start: Vector3, places: [Vector3], order: Order = .best, returns: Bool = false) {
        self.start = start
        self.places = places
        self.order = order
        self.returns = returns
    }

    /// - Throws: ``PlanningError`` that names the place.
    func validate() throws(PlanningError) {
        guard start.isFinite else { throw PlanningError("the start has a coordinate that is not finite") }
        if let bad = places.firstIndex(where: { !$0.isFinite }) {
            throw PlanningError("waypoint \(bad + 1) has a coordinate that is not finite")
        }
        guard !places.isEmpty else { throw PlanningError("no waypoints given") }
        guard places.count <= Self.maximumPlaces else {
            throw PlanningError("\(places.count) waypoints given, at most \(Self.maximumPlaces) are allowed")
        }
    }
}

/// One of the places of a plan.
public enum Stop: Hashable, Sendable {
    /// The start, which is also the end if the path returns.
    case start
    /// A place of the request, by its index.
    case place(Int)
}
