internal import PointCloud
internal import UAVLink

/// Builds the cells of a ``KnownSpace``, step by step.
final class SpaceBuilder {
    let map: PointCloud
    let grid: VoxelGrid
    let options: MapOptions
    let cells: Block<Int32>
    private(set) var runs: [Int32] = [0]
    private(set) var points = Block<SIMD3<Float>>(0, .zero)
    private(set) var ignored = 0

    init(map: PointCloud, grid: VoxelGrid, options: MapOptions) {
        self.map = map
        self.grid = grid
        self.options = options
        cells = Block(grid.count, KnownSpace.unknown)
    }

    /// Groups the points into runs, one for each cell that has any.
    func sortPoints() {
        let balls = options.declaredFree.map { (Place($0.centre - map.origin), $0.radiusMetres * $0.radiusMetres) }
        var cellOf = [Int32](repeating: -1, count: map.count)
        var counts: [Int32] = []
        for index in map.offsets.indices {
            let place = Place(map.offsets[index])
            // Points outside the region are not in the grid; nothing flies there, and the region's border is closed.
            guard grid.contains(place) else { continue }
            if balls.contains(where: { (place - $0.0).dot(place - $0.0) <= $0.1 }) {
                ignored += 1
                continue
            }
            let cell = grid.index(grid.coordinates(place))
            if cells[cell] < 0 {
                cells[cell] = Int32(counts.count)
                counts.append(0)
            }
            counts[Int(cells[cell])] += 1
            cellOf[index] = cells[cell]
        }
        runs = [0]
        runs.reserveCapacity(counts.count + 1)
        var total: Int32 = 0
        for count in counts {
            total += count
            runs.append(total)
        }
        points = Block(Int(total), .zero)
        var next = runs
        for index in map.offsets.indices where cellOf[index] >= 0 {
            let run = Int(cellOf[index])
            points[Int(next[run])] = map.offsets[index]
            next[run] += 1
        }
    }

    /// Marks as free the space between the viewpoints and the points.
    func castRays() {
        guard !options.unknownIsOpen else { return }
        let viewpoints = (options.viewpoints ?? map.viewpoint.map { [$0] } ?? []).map { Place($0 - map.origin) }
        let caster = RayCaster(grid: grid, cells: cells, stopsAtPoints: viewpoints.count > 1)
        for viewpoint in viewpoints {
            for offset in map.offsets { caster.cast(from: viewpoint, to: Place(offset)) }
        }
    }

    /// Marks as free all unknown cells that a place declared free touches, so that none of them closes it.
    func declareFree() {
        for ball in options.declaredFree {
            let centre = Place(ball.centre - map.origin)
            let reach = ball.radiusMetres + grid.halfDiagonal
            let low = grid.coordinates(centre - reach)
            let high = grid.coordinates(centre + reach)
            for z in low.z...high.z {
                for y in low.y...high.y {
                    for x in low.x...high.x {
                        let cell = SIMD3(x, y, z)
                        let index = grid.index(cell)
                        guard cells[index] == KnownSpace.unknown, (grid.centre(cell) - centre).length < reach else {
                            continue
                        }
                        cells[index] = KnownSpace.free
                    }
                }
            }
        }
    }

    /// Marks all unknown cells as free.
    func openUnknown() {
        for index in 0..<grid.count where cells[index] == KnownSpace.unknown { cells[index] = KnownSpace.free }
    }

    /// How many cells are in which state.
    func count() -> KnownSpace.CellCounts {
        var free = 0
        var unknown = 0
        for index in 0..<grid.count {
            if cells[index] == KnownSpace.free { free += 1 }
            if cells[index] == KnownSpace.unknown { unknown += 1 }
        }
        return .init(occupied: grid.count - free - unknown, free: free, unknown: unknown)
    }
}
