public import UAVLink

/// How a map is understood: what in it is known to be free, and where flying is allowed.
public struct MapOptions: Sendable {
    /// Edge of a cell, metres; absent: a quarter of the vehicle's clearance, coarser when the map is large.
    public var cellMetres: Double?
    /// Where the points were seen from, metres in the cloud's frame; absent: the cloud's own viewpoint.
    ///
    /// Space between a viewpoint and a point is known to be free. With several viewpoints nobody knows which point was seen from
    /// where, so a ray ends at the first cell that has a point in it.
    public var viewpoints: [Vector3]?
    /// Whether space that nobody has seen counts as free; only on purpose.
    public var unknownIsOpen: Bool
    /// Places that are free because a person says so, as the one that the vehicle itself occupies: neither points in them (the
    /// vehicle's own returns) nor unknown space count.
    public var declaredFree: [Ball]
    /// Where the vehicle may fly; absent: wherever the map is.
    public var area: FlightArea?
    /// The part of the map that is looked at; absent: all of it. What lies outside is closed.
    public var region: Box?
    /// The most cells that are made: 8 bytes each, and 10 more while a path is searched.
    public var maximumCells: Int

    /// How a map is understood.
    public init(
        cellMetres: Double? = nil, viewpoints: [Vector3]? = nil, unknownIsOpen: Bool = false, declaredFree: [Ball] = [],
        area: FlightArea? = nil, region: Box? = nil, maximumCells: Int = 12_000_000
    ) {
        self.cellMetres = cellMetres
        self.viewpoints = viewpoints
        self.unknownIsOpen = unknownIsOpen
        self.declaredFree = declaredFree
        self.area = area
        self.region = region
        self.maximumCells = maximumCells
    }

    /// All places not farther from a centre than a radius.
    public struct Ball: Hashable, Sendable {
        /// Metres in the cloud's frame.
        public var centre: Vector3
        /// Metres.
        public var radiusMetres: Double

        /// A ball.
        public init(centre: Vector3, radiusMetres: Double) {
            self.centre = centre
            self.radiusMetres = radiusMetres
        }
    }

    /// All places between two corners.
    public struct Box: Hashable, Sendable {
        /// The corner with the smallest coordinates, metres in the cloud's frame.
        public var low: Vector3
        /// The corner with the largest.
        public var high: Vector3

        /// A box.
        public init(low: Vector3, high: Vector3) {
            self.low = low
            self.high = high
        }
    }
}
