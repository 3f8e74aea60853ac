/// Traverses all cells on a straight line without gaps (Amanatides and Woo, 1987).
struct RayCaster {
    let grid: VoxelGrid
    let cells: Block<Int32>
    /// Whether a line ends at the first cell with a point.
    let stopsAtPoints: Bool

    /// Marks unknown cells on the line as free; cells with a point keep their state.
    @inline(__always)
    func cast(from start: Place, to end: Place) {
        guard let (first, last) = clipped(start, end) else { return }
        let from = grid.coordinates(first)
        let to = grid.coordinates(last)
        let direction = last - first
        var cell = grid.index(from)
        var left = SIMD3(abs(to.x - from.x), abs(to.y - from.y), abs(to.z - from.z))
        let strides = SIMD3(
            to.x >= from.x ? 1 : -1, (to.y >= from.y ? 1 : -1) * grid.counts.x,
            (to.z >= from.z ? 1 : -1) * grid.counts.x * grid.counts.y)
        // For each axis: position of the next border along the line, from 0 to 1; infinite once its last cell is reached.
        var next = SIMD3<Double>(repeating: .infinity)
        var step = SIMD3<Double>(repeating: 0)
        for axis in 0..<3 where left[axis] > 0 {
            let up = direction[axis] > 0
            let border = grid.corner[axis] + grid.edge * Double(from[axis] + (up ? 1 : 0))
            next[axis] = (border - first[axis]) / direction[axis]
            step[axis] = grid.edge / abs(direction[axis])
        }
        let all = left.x + left.y + left.z
        var steps = all
        while true {
            let state = cells.base[cell]
            if state == KnownSpace.unknown {
                cells.base[cell] = KnownSpace.free
            } else if stopsAtPoints, state >= 0, steps < all {
                return
            }
            guard steps > 0 else { return }
            steps -= 1
            if next.x <= next.y && next.x <= next.z {
                advance(0, &cell, &left, &next, strides, step)
            } else if next.y <= next.z {
                advance(1, &cell, &left, &next, strides, step)
            } else {
                advance(2, &cell, &left, &next, strides, step)
            }
        }
    }

    @inline(__always)
    private func advance(
        _ axis: Int, _ cell: inout Int, _ left: inout SIMD3<Int>, _ next: inout SIMD3<Double>, _ strides: SIMD3<Int>,
        _ step: SIMD3<Double>
    ) {
        cell += strides[axis]
        left[axis] -= 1
        next[axis] = left[axis] > 0 ? next[axis] + step[axis] : .infinity
    }

    /// The part of a line inside the grid.
    @inline(__always)
    private func clipped(_ start: Place, _ end: Place) -> (Place, Place)? {
        if grid.contains(start) && grid.contains(end) { return (start, end) }
        var (enter, leave) = (0.0, 1.0)
        let (low, high, direction) = (grid.corner, grid.high, end - start)
        for axis in 0..<3 {
            if direction[axis] == 0 {
                guard start[axis] >= low[axis], start[axis] < high[axis] else { return nil }
                continue
            }
            let one = (low[axis] - start[axis]) / direction[axis]
            let other = (high[axis] - start[axis]) / direction[axis]
            enter = max(enter, min(one, other))
            leave = min(leave, max(one, other))
        }
        guard enter <= leave else { return nil }
        return (start + enter * direction, start + leave * direction)
    }
}
