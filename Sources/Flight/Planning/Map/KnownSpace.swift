public import PointCloud
public import UAVLink

/// What a map says about space, for a vehicle of a certain size: where there are points, what was seen to be free, and what
/// nobody knows.
///
/// It does not change once it is made, so threads may share it. Distances are to the points themselves, in double precision,
/// never to cells: cells only say where to look.
public final class KnownSpace: @unchecked Sendable {
    /// The vehicle for which it was made.
    public let body: VehicleBody
    /// How the map was understood.
    public let options: MapOptions
    /// The points that were left out because they lie in places declared free.
    public let ignoredPoints: Int
    /// Cells by state.
    public let cellCounts: CellCounts

    let grid: VoxelGrid
    let origin: Vector3
    /// For each cell: the number of its run of points, ``free`` or ``unknown``.
    let cells: Block<Int32>
    /// For each cell: the square of the distance to the nearest cell that is not free, in cells; saturated.
    let field: Block<UInt16>
    /// Where each run of points begins; one more than there are runs.
    let runs: [Int32]
    /// The points, run after run.
    let points: Block<SIMD3<Float>>
    let shells: ShellTable

    static let free: Int32 = -1
    static let unknown: Int32 = -2

    /// How many cells are in which state.
    public struct CellCounts: Hashable, Sendable {
        /// With points in them.
        public var occupied: Int
        /// Seen to be free, or opened on purpose.
        public var free: Int
        /// Never seen.
        public var unknown: Int
    }

    /// Edge of a cell, metres.
    public var cellMetres: Double { grid.edge }

    /// Makes it; about 0.2 s for half a million points, so not on a thread that others wait for.
    ///
    /// - Throws: ``PlanningError`` that says what cannot be used, or what is too large.
    public init(map: PointCloud, for body: VehicleBody, options: MapOptions = MapOptions()) throws(PlanningError) {
        try body.validate()
        let grid = try GridChoice.make(for: map, body, options)
        let builder = SpaceBuilder(map: map, grid: grid, options: options)
        builder.sortPoints()
        builder.castRays()
        builder.declareFree()
        if options.unknownIsOpen { builder.openUnknown() }
        cellCounts = builder.count()
        field = DistanceField.make(grid, builder.cells)
        (cells, runs, points, ignoredPoints) = (builder.cells, builder.runs, builder.points, builder.ignored)
        shells = ShellTable(grid)
        origin = map.origin
        self.body = body
        self.options = options
        self.grid = grid
    }

    /// Whether a place lies within the map.
    public func contains(_ place: Vector3) -> Bool { grid.contains(local(place)) }

    func local(_ place: Vector3) -> Place { Place(place - origin) }
    func world(_ place: Place) -> Vector3 { place.vector + origin }
}
