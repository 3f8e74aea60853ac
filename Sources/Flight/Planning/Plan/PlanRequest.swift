public import UAVLink

/// What is to be planned: places to visit.
public struct PlanRequest: Hashable, Sendable {
    /// In which order the places are visited.
    public enum Order: Hashable, Sendable {
        /// As given.
        case given
        /// The one that makes the way short: the shortest for up to 12 places, else one that is hard to shorten.
        case best
    }

    /// Where the vehicle is, metres in the map's frame.
    public var start: Vector3
    /// The places to visit.
    public var places: [Vector3]
    /// In which order.
    public var order: Order
    /// Whether it flies back to the start in the end.
    public var returns: Bool

    /// The most places of a plan.
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
        guard start.isFinite else { throw PlanningError("the start is not a finite place") }
        if let bad = places.firstIndex(where: { !$0.isFinite }) {
            throw PlanningError("place \(bad + 1) is not a finite place")
        }
        guard !places.isEmpty else { throw PlanningError("there is no place to fly to") }
        guard places.count <= Self.maximumPlaces else {
            throw PlanningError("there are \(places.count) places, more than \(Self.maximumPlaces)")
        }
    }
}

/// One of the places of a plan.
public enum Stop: Hashable, Sendable {
    /// Where the vehicle starts, and returns to if it does.
    case start
    /// A place of the request, counted from 0.
    case place(Int)
}
