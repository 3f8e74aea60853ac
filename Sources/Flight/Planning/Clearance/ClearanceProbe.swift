/// Finds the nearest obstacle to a straight line by scanning the cells around it.
struct ClearanceProbe {
    private let grid: VoxelGrid
    private let cells: UnsafeMutablePointer<Int32>
    private let field: UnsafeMutablePointer<UInt16>
    private let points: UnsafeMutablePointer<SIMD3<Float>>
    private let space: KnownSpace

    /// Rounding tolerance for a line that enters a cell, in cells; larger than any rounding error.
    private static let slack = 1e-4

    init(_ space: KnownSpace) {
        self.space = space
        grid = space.grid
        cells = space.cells.base
        field = space.field.base
        points = space.points.base
    }

    /// The nearest obstacles found so far, and the distances within which obstacles count.
    struct Nearest {
        /// Metres to the nearest point of the map; initially the search limit.
        var pointMetres: Double
        /// That point.
        var point: Place?
        /// Upper bound in metres of the distance to the nearest unknown cell: cells are approximated by their circumscribed
        /// spheres.
        var unknownMetres: Double
        /// That cell's centre.
        var unknown: Place?

        /// Starts a search for points and unknown cells within the given distances.
        init(pointsWithin: Double, unknownWithin: Double) {
            pointMetres = pointsWithin
            unknownMetres = unknownWithin
        }

        /// The smaller of the two distances.
        var least: Double { min(pointMetres, unknownMetres) }
    }

    /// Greatest distance that a scan finds, metres.
    var reachMetres: Double { (Double(ShellTable.reach) - 2 * VoxelGrid.unitHalfDiagonal) * grid.edge }

    /// Updates `nearest` with what is nearer to the line from `start` to `end`, which both lie in the grid.
    ///
    /// The distances are exact up to ``reachMetres``. Returns early once something is nearer than `enough`.
    func look(from start: Place, to end: Place, _ nearest: inout Nearest, enough: Double = -1) {
        let spread = VoxelGrid.unitHalfDiagonal
        let line = Line(start, end)
        var along = 0.0
        while true {
            let cell = grid.coordinates(line.at(along))
            let index = grid.index(cell)
            let centres = Double(field[index]).squareRoot() * grid.edge
            // Lower bound of the distance from any place in this cell to the content of any cell that is not free.
            let bound = centres - 2 * grid.halfDiagonal - Self.slack * grid.edge
            let limit = max(nearest.pointMetres, nearest.unknownMetres)
            if bound < limit {
                scan(around: cell, index, line, &nearest, spread: spread, enough: enough)
                if nearest.least < enough { return }
                along = leaving(cell, line, along)
            } else {
                // Distances change by at most the length travelled.
                along = max(leaving(cell, line, along), along + bound - limit)
            }
            if along > line.length { return }
        }
    }

    /// The same for a cell's centre.
    func look(at cell: Int, _ nearest: inout Nearest, enough: Double = -1) {
        let coordinates = grid.coordinates(index: cell)
        let centre = grid.centre(coordinates)
        scan(around: coordinates, cell, Line(centre, centre), &nearest, spread: 0, enough: enough)
    }

    /// - Parameter spread: largest distance of the line's part in the cell from the cell's centre, in cells.
    private func scan(
        around cell: SIMD3<Int>, _ index: Int, _ line: Line, _ nearest: inout Nearest, spread: Double, enough: Double
    ) {
        let square = Int(field[index])
        guard square <= ShellTable.reach * ShellTable.reach else { return }
        let entries = space.shells.entries
        var position = Int(space.shells.first[square])
        let perCell = 1 / grid.edge
        let beyond = spread + VoxelGrid.unitHalfDiagonal + Self.slack
        var farthest = Float(max(nearest.pointMetres, nearest.unknownMetres) * perCell + beyond)
        while position < entries.count {
            let entry = entries.base[position]
            position += 1
            if entry.distance > farthest { return }
            let x = cell.x + Int(entry.x)
            let y = cell.y + Int(entry.y)
            let z = cell.z + Int(entry.z)
            guard UInt(bitPattern: x) < UInt(bitPattern: grid.counts.x),
                UInt(bitPattern: y) < UInt(bitPattern: grid.counts.y),
                UInt(bitPattern: z) < UInt(bitPattern: grid.counts.z)
            else { continue }
            let state = cells[index + Int(entry.stride)]
            if state == KnownSpace.free { continue }
            let centre = grid.centre(SIMD3(x, y, z))
            let square = line.squaredDistance(centre)
            if state >= 0 {
                let near = nearest.pointMetres + grid.halfDiagonal
                guard square < near * near else { continue }
                scanPoints(run: Int(state), line, &nearest)
            } else {
                let near = nearest.unknownMetres + grid.halfDiagonal
                guard square < near * near else { continue }
                nearest.unknownMetres = max(0, square.squareRoot() - grid.halfDiagonal)
                nearest.unknown = centre
            }
            if nearest.least < enough { return }
            farthest = Float(max(nearest.pointMetres, nearest.unknownMetres) * perCell + beyond)
        }
    }

    @inline(__always)
    private func scanPoints(run: Int, _ line: Line, _ nearest: inout Nearest) {
        var least = nearest.pointMetres * nearest.pointMetres
        var found = -1
        for position in Int(space.runs[run])..<Int(space.runs[run + 1]) {
            let square = line.squaredDistance(Place(points[position]))
            if square < least {
                least = square
                found = position
            }
        }
        guard found >= 0 else { return }
        nearest.pointMetres = least.squareRoot()
        nearest.point = Place(points[found])
    }

    /// Finds the nearest point to a line by checking all points: for lines outside the grid or beyond the reach of a scan.
    func scanAllPoints(from start: Place, to end: Place, _ nearest: inout Nearest) {
        let line = Line(start, end)
        for run in 0..<(space.runs.count - 1) { scanPoints(run: run, line, &nearest) }
    }

    /// The position along the line where it leaves a cell, slightly beyond the border.
    @inline(__always)
    private func leaving(_ cell: SIMD3<Int>, _ line: Line, _ along: Double) -> Double {
        let low = grid.corner + grid.edge * Place(Double(cell.x), Double(cell.y), Double(cell.z))
        let border = low.replacing(with: low + grid.edge, where: line.direction .> 0)
        let ways = ((border - line.start) / line.direction)
            .replacing(with: .infinity, where: line.direction .== 0)
        return max(ways.min(), along) + grid.edge * 1e-6
    }

    /// A straight line between two places.
    struct Line {
        let start: Place
        /// Unit vector, or zero when the line is a single place.
        let direction: Place
        let length: Double

        init(_ start: Place, _ end: Place) {
            self.start = start
            length = (end - start).length
            direction = length > 0 ? (end - start) / length : .zero
        }

        @inline(__always)
        func at(_ along: Double) -> Place { start + along * direction }

        /// The place of the line that is nearest to another place.
        func nearest(to place: Place) -> Place { at(min(length, max(0, (place - start).dot(direction)))) }

        @inline(__always)
        func squaredDistance(_ place: Place) -> Double {
            let to = place - start
            let along = min(length, max(0, to.dot(direction)))
            let gap = to - along * direction
            return gap.dot(gap)
        }
    }
}
