public import PointCloud
public import UAVLink

/// The known space of a map for a vehicle of a certain size: occupied by points, observed free, or unknown.
///
/// Immutable after creation, so threads may share it. Distances are measured to the points themselves, in double precision,
/// never to cells: cells only limit the search.
public final class KnownSpace: @unchecked Sendable {
    /// The vehicle for which it was made.
    public let body: VehicleBody
    /// How the map was interpreted.
    public let options: MapOptions
    /// Number of points ignored because they lie in places declared free.
    public let ignoredPoints: Int
    /// Number of cells by state.
    public let cellCounts: CellCounts

    let grid: VoxelGrid
    let origin: Vector3
    /// For each cell: the index of its run of points, ``free`` or ``unknown``.
    let cells: Block<Int32>
    /// For each cell: the squared distance to the nearest cell that is not free, in cells; saturated.
    let field: Block<UInt16>
    /// Start of each run of points; one more than there are runs.
    let runs: [Int32]
    /// The points, run after run.
    let points: Block<SIMD3<Float>>
    let shells: ShellTable
    /// `nil` without a region.
    let inside: RegionInside?

    static let free: Int32 = -1
    static let unknown: Int32 = -2

    /// How many cells are in each state.
    public struct CellCounts: Hashable, Sendable {
        /// Cells with points.
        public var occupied: Int
        /// Cells observed free, declared free, or opened by ``MapOptions/unknownIsOpen``.
        public var free: Int
        /// Cells that were never observed.
        public var unknown: Int
    }

    /// Edge of a cell, metres.
    public var cellMetres: Double { grid.edge }
    /// Edge that the cells have if the map is not too large for them, metres.
    public var finestCellMetres: Double { options.cellMetres ?? GridChoice.finest(for: body) }
    /// Whether the cells are larger because the map is large: gaps that smaller cells would find may be missed.
    public var isCoarsened: Bool { grid.edge > finestCellMetres * 1.001 }

    /// Builds the space; takes about 0.2 s for half a million points, so do not call it on a thread that others wait for.
    ///
    /// - Throws: ``PlanningError`` that names what cannot be used, or what is too large.
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
        inside = options.region.map { RegionInside(of: $0, for: body, origin: map.origin) }
        origin = map.origin
        self.body = body
        self.options = options
        self.grid = grid
    }

    /// Whether a place lies within the map.
    public func contains(_ place: Vector3) -> Bool { grid.contains(local(place)) }

    /// Whether the vehicle's centre may be at a place, as far as cells and region reach.
    func allows(_ place: Place) -> Bool { grid.contains(place) && inside?.contains(place) ?? true }

    func local(_ place: Vector3) -> Place { Place(place - origin) }
    func world(_ place: Place) -> Vector3 { place.vector + origin }
}
