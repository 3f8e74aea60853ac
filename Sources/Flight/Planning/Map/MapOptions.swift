public import FlightVolume
public import UAVLink

/// How a map is interpreted: which space is known to be free, and where flight is allowed.
public struct MapOptions: Sendable {
    /// Edge of a cell, metres; `nil`: a quarter of the vehicle's clearance, coarser for a large map, beyond the clearance only
    /// if all unknown space is open.
    public var cellMetres: Double?
    /// Where the points were observed from, metres in the cloud's frame; `nil`: the cloud's own viewpoint.
    ///
    /// Space between a viewpoint and a point is known to be free. With several viewpoints it is not known which point was
    /// observed from which, so a ray ends at the first cell with a point.
    public var viewpoints: [Vector3]?
    /// Whether unknown space counts as free; use deliberately.
    public var unknownIsOpen: Bool
    /// Places that the user declares free, such as the one the vehicle occupies: neither points in them (the vehicle's own
    /// returns) nor unknown space count.
    public var declaredFree: [Ball]
    /// Where the vehicle may fly, in the map's frame; `nil`: everywhere in the map.
    public var area: FlyableVolume?
    /// How much farther than ``area``'s own margin a path is searched from its obstacles, metres: room for rounded corners, and
    /// for the rounding of a check that goes along the margin. The clearance of a given path does not ask for it.
    public var obstacleReserveMetres: Double
    /// The part of the map that is used; `nil`: all of it. Space outside is closed: the vehicle's centre keeps the clearance from its
    /// border.
    public var region: Box?
    /// Largest number of cells: 6 bytes each, and at least 9 more while a path is searched.
    public var maximumCells: Int

    /// Creates options; the defaults are those of each property.
    public init(
        cellMetres: Double? = nil, viewpoints: [Vector3]? = nil, unknownIsOpen: Bool = false, declaredFree: [Ball] = [],
        area: FlyableVolume? = nil, obstacleReserveMetres: Double = 0, region: Box? = nil,
        maximumCells: Int = 12_000_000
    ) {
        self.cellMetres = cellMetres
        self.viewpoints = viewpoints
        self.unknownIsOpen = unknownIsOpen
        self.declaredFree = declaredFree
        self.area = area
        self.obstacleReserveMetres = obstacleReserveMetres
        self.region = region
        self.maximumCells = maximumCells
    }

    /// ``area`` with ``obstacleReserveMetres`` added to its margin.
    var searchedArea: FlyableVolume? {
        var area = area
        area?.obstacleMarginMetres += obstacleReserveMetres
        return area
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
