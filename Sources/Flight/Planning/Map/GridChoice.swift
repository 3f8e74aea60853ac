internal import PointCloud
internal import UAVLink

/// Chooses the cell size for a map: as fine as the vehicle needs, as coarse as memory requires.
enum GridChoice {
    /// Cells per clearance: the union of two clearance spheres at neighbouring centres narrows by at most 2.4 % in between.
    static let cellsPerClearance = 4.0
    /// Upper bound, so that the scans stay within ``ShellTable/reach``.
    static let maximumCellsPerClearance = 16.0
    /// Largest edge in clearances where all unknown space is open. What lies beyond the points is then free whatever the
    /// cells are, and distances are measured to the points: larger cells only find fewer gaps.
    static let coarsestClearances = 16.0

    /// Edge of the cells that a vehicle gets if the map is not too large for them, metres.
    static func finest(for body: VehicleBody) -> Double { body.clearanceMetres / cellsPerClearance }

    /// - Throws: ``PlanningError`` that names what is too large.
    static func make(for map: PointCloud, _ body: VehicleBody, _ options: MapOptions) throws(PlanningError) -> VoxelGrid
    {
        let clearance = body.clearanceMetres
        var (low, high) = try bounds(map, options)
        let padding = options.unknownIsOpen ? max(1, 2 * clearance) : 0
        (low, high) = (low - padding, high + padding)
        if let region = options.region {
            low.replace(with: Place(region.low - map.origin), where: low .< Place(region.low - map.origin))
            high.replace(with: Place(region.high - map.origin), where: high .> Place(region.high - map.origin))
            guard low.x < high.x, low.y < high.y, low.z < high.z else {
                throw PlanningError("the region does not overlap the map")
            }
            guard !RegionInside(of: region, for: body, origin: map.origin).isEmpty else {
                throw PlanningError(
                    "the region leaves no space: its border is closed, and the vehicle keeps \(text(clearance)) m"
                        + " from it")
            }
        }
        if let wanted = options.cellMetres {
            guard wanted.isFinite, wanted > 0 else {
                throw PlanningError("the cell's edge is \(wanted) m; it must be positive")
            }
            guard wanted >= clearance / maximumCellsPerClearance, wanted <= clearance else {
                throw PlanningError(
                    "the cell's edge is \(wanted) m; for a clearance of \(text(clearance)) m it must be from"
                        + " \(clearance / maximumCellsPerClearance) to \(clearance) m")
            }
            return try fitting(low, high, wanted, ...wanted, clearance, options)
        }
        // A cell is known to be free once a ray passes through any part of it. Beyond the clearance, one ray would open more
        // than the vehicle needs, so cells stay smaller where unknown space is closed.
        let coarsest = options.unknownIsOpen ? clearance * coarsestClearances : clearance
        return try fitting(low, high, finest(for: body), ...coarsest, clearance, options)
    }

    private static func fitting(
        _ low: Place, _ high: Place, _ finest: Double, _ coarsest: PartialRangeThrough<Double>, _ clearance: Double,
        _ options: MapOptions
    ) throws(PlanningError) -> VoxelGrid {
        var edge = finest
        while true {
            // One empty cell around everything, so that neighbours always exist and unseen space at the border is
            // represented.
            let cells = ((high - low) / edge).rounded(.up) + 3
            let count = cells.x * cells.y * cells.z
            if count <= Double(options.maximumCells), let x = Int(exactly: cells.x), let y = Int(exactly: cells.y),
                let z = Int(exactly: cells.z)
            {
                return VoxelGrid(corner: low - edge * 1.5, edge: edge, counts: SIMD3(x, y, z))
            }
            guard edge < coarsest.upperBound else {
                throw tooLarge(high - low, edge, cells: count, options)
            }
            // No larger than the clearance unless it must be: beyond it, more gaps are missed.
            let isWithinClearance = edge < clearance && clearance < coarsest.upperBound
            edge = min(isWithinClearance ? clearance : coarsest.upperBound, edge * 1.2)
        }
    }

    private static func bounds(_ map: PointCloud, _ options: MapOptions) throws(PlanningError) -> (Place, Place) {
        guard let first = map.offsets.first else { throw PlanningError("the map has no points") }
        var (least, most) = (first, first)
        for offset in map.offsets {
            least.replace(with: offset, where: offset .< least)
            most.replace(with: offset, where: offset .> most)
        }
        var (low, high) = (Place(least), Place(most))
        var others = (options.viewpoints ?? map.viewpoint.map { [$0] } ?? []).map { (Place($0 - map.origin), 0.0) }
        others += options.declaredFree.map { (Place($0.centre - map.origin), $0.radiusMetres) }
        for (place, radius) in others {
            guard place.x.isFinite, place.y.isFinite, place.z.isFinite, radius.isFinite, radius >= 0 else {
                throw PlanningError("a viewpoint or a place declared free is not a finite number")
            }
            low.replace(with: place - radius, where: place - radius .< low)
            high.replace(with: place + radius, where: place + radius .> high)
        }
        return (low, high)
    }

    private static func tooLarge(
        _ size: Place, _ edge: Double, cells: Double, _ options: MapOptions
    ) -> PlanningError {
        let whole = cells < 1e15 ? Int(exactly: cells) : nil
        let count = whole.map { "\($0)" } ?? "too many to count"
        let isForced = !options.unknownIsOpen && options.cellMetres == nil
        let reason = isForced ? ", and larger ones would treat unknown space as free" : ""
        return PlanningError(
            "the map is \(text(size.x)) x \(text(size.y)) x \(text(size.z)) m: with cells of \(text(edge)) m that is"
                + " \(count) cells, more than \(options.maximumCells)\(reason);"
                + " choose a smaller part of it, or a larger clearance",
            isTooLarge: true)
    }

    private static func text(_ metres: Double) -> String { String((metres * 100).rounded() / 100) }
}
