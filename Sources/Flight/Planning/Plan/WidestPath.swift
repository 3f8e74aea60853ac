internal import FlightVolume

/// Finds the path between two places with the largest clearance, and its narrowest place.
struct WidestPath {
    let work: PlanningWork

    /// The narrowest place of a path.
    struct Bottleneck {
        var clearance: Double
        var place: Place
    }

    /// The widest path over the cells.
    struct Found {
        /// Its narrowest place; `nil` if both ends are in one cell.
        var narrowest: Bottleneck?
        /// Whether no way through the same cells is wide enough. Any way that is passes within half a diagonal of the centres
        /// of its cells, so that their clearances are smaller by that at most, and those of the widest path are not smaller.
        var isTooNarrow: Bool
        /// The path, with its ends, if the vehicle passes along its whole length.
        var path: [Place]?
    }

    /// The widest path; `nil` when no vehicle of any size passes.
    func between(_ start: Place, _ goal: Place) throws(Interruption) -> Found? {
        let way = try way(start, goal)
        guard !way.isEmpty else { return nil }
        let (grid, needed) = (work.space.grid, work.passability.clearance)
        // The vehicle fits at both ends, whatever their cells' centres are like.
        let inner = way.dropFirst().dropLast()
        let least = inner.map { work.passability.freeRadius($0, limit: needed) }.min() ?? needed
        var found = Found(narrowest: narrowest(way, least: least), isTooNarrow: least < needed - grid.halfDiagonal)
        if !found.isTooNarrow {
            let places = [start] + inner.map { centre($0) } + [goal]
            found.path = try NarrowWay(work: work, widest: self).path(along: places)
        }
        return found
    }

    /// The narrowest place of a way over cells.
    private func narrowest(_ way: [Int], least: Double) -> Bottleneck? {
        guard way.count > 1 else { return nil }
        let grid = work.space.grid
        var narrows: Bottleneck?
        var along = Place.zero
        var previous: Place?
        for index in 0..<(way.count - 1) {
            let (here, next) = (centre(way[index]), centre(way[index + 1]))
            // The position is refined by up to a cell below: a place wider by two cells cannot be the narrowest afterwards.
            guard work.passability.freeRadius(way[index], limit: least + 2 * grid.edge) < least + 2 * grid.edge else {
                previous = nil
                continue
            }
            let before = centre(way[max(0, index - 2)])
            let after = centre(way[min(way.count - 1, index + 3)])
            for quarter in 0..<4 {
                let found = widened(here + Double(quarter) / 4 * (next - here), across: after - before)
                if found.clearance < narrows?.clearance ?? .infinity { (narrows, along) = (found, after - before) }
                // What is thinner than a quarter of a cell lies between two places.
                if let previous, let between = narrowest(from: previous, to: found.place) {
                    let gap = widened(between, across: found.place - previous)
                    if gap.clearance < narrows?.clearance ?? .infinity { (narrows, along) = (gap, after - before) }
                }
                previous = found.place
            }
        }
        return narrows.map { narrowed($0, along: along) }
    }

    /// The narrowest place of the path near a narrow one: between two places the gap can be a little narrower than at both.
    private func narrowed(_ found: Bottleneck, along direction: Place) -> Bottleneck {
        guard direction.length > 0 else { return found }
        let ahead = direction / direction.length
        // Places were looked at a quarter of a cell apart; farther away, the path may have turned.
        let reach = work.space.grid.edge / 4
        var narrowest = found
        var along = 0.0
        var step = reach / 2
        while step > reach / 30 {
            let steps = [along + step, along - step].filter { abs($0) <= reach }
            let places = steps.map { (along: $0, gap: widened(found.place + $0 * ahead, across: direction)) }
            if let least = places.min(by: { $0.gap.clearance < $1.gap.clearance }),
                least.gap.clearance < narrowest.clearance
            {
                (along, narrowest) = (least.along, least.gap)
            } else {
                step /= 2
            }
        }
        return narrowest
    }

    /// The place of a line that is nearest to an obstacle; `nil` if none is nearer than the clearance needed.
    func narrowest(from start: Place, to end: Place) -> Place? {
        let limit = work.passability.clearance
        var nearest = ClearanceProbe.Nearest(pointsWithin: limit, unknownWithin: limit)
        work.passability.probe.look(from: start, to: end, &nearest)
        let obstacle = nearest.unknownMetres < nearest.pointMetres ? nearest.unknown : nearest.point
        return obstacle.map { ClearanceProbe.Line(start, end).nearest(to: $0) }
    }

    /// Expands from the start into the widest cell adjacent to those reached, until the goal's cell is reached (maximin).
    private func way(_ start: Place, _ goal: Place) throws(Interruption) -> [Int] {
        let grid = work.space.grid
        let freeRadii = Block<Float>(grid.count, -1)
        let cameFrom = Block<Int32>(grid.count, -1)
        let last = grid.index(grid.coordinates(goal))
        let first = grid.index(grid.coordinates(start))
        freeRadii[first] = 1
        // The heap pops the smallest first, so wide cells have low cost.
        var heap = MinHeap()
        heap.push(.init(total: -1, soFar: 0, cell: Int32(first)))
        var expanded = 0
        while let entry = heap.pop() {
            let cell = Int(entry.cell)
            if cell == last { break }
            expanded += 1
            if expanded & 0xFFF == 0 { try work.checkCancelled() }
            for neighbour in neighbours(cell) where freeRadii[neighbour] < 0 {
                let freeRadius = neighbour == last ? Float.infinity : Float(freeRadius(neighbour))
                freeRadii[neighbour] = freeRadius
                guard freeRadius > 0 else { continue }
                cameFrom[neighbour] = Int32(cell)
                heap.push(.init(total: -freeRadius, soFar: 0, cell: Int32(neighbour)))
            }
        }
        guard first == last || cameFrom[last] >= 0 else { return [] }
        var way = [last]
        while let cell = way.last, cell != first { way.append(Int(cameFrom[cell])) }
        return way.reversed()
    }

    /// A cell's centre; of a cell that is partly outside the region, the nearest place inside.
    private func centre(_ cell: Int) -> Place { inside(work.space.grid.centre(index: cell)) }

    private func inside(_ place: Place) -> Place { work.space.inside?.clamped(place) ?? place }

    private func freeRadius(_ cell: Int) -> Double {
        let space = work.space
        if let inside = space.inside, !inside.meetsCell(at: space.grid.centre(index: cell), edge: space.grid.edge) {
            return 0
        }
        let state = space.cells[cell]
        // The vehicle may pass through a cell with points if the cell is large. In smaller cells it is a hole in a wall's mesh.
        let (half, needed) = (space.grid.halfDiagonal, work.passability.clearance)
        guard state == KnownSpace.free || (state != KnownSpace.unknown && needed <= 2 * half) else { return 0 }
        if let area = work.passability.area, !area.contains(space.world(space.grid.centre(index: cell))) { return 0 }
        if work.passability.kind(cell) > Passability.blocked { return needed }
        let freeRadius = work.passability.freeRadius(cell, limit: needed)
        return state == KnownSpace.free || freeRadius >= needed - half ? freeRadius : 0
    }

    private func neighbours(_ cell: Int) -> [Int] {
        let grid = work.space.grid
        let here = grid.coordinates(index: cell)
        var result: [Int] = []
        result.reserveCapacity(26)
        for z in max(0, here.z - 1)...min(grid.counts.z - 1, here.z + 1) {
            for y in max(0, here.y - 1)...min(grid.counts.y - 1, here.y + 1) {
                for x in max(0, here.x - 1)...min(grid.counts.x - 1, here.x + 1) {
                    result.append(grid.index(SIMD3(x, y, z)))
                }
            }
        }
        return result
    }

    /// The place with the largest clearance within a cell of a place, across the path: a cell's centre need not lie in the
    /// middle of the gap.
    func widened(_ middle: Place, across direction: Place) -> Bottleneck {
        let (middle, edge) = (inside(middle), work.space.grid.edge)
        let ahead = direction.length > 0 ? direction / direction.length : Place(1, 0, 0)
        let other = abs(ahead.z) < 0.9 ? Place(0, 0, 1) : Place(1, 0, 0)
        let left = Self.unit(Self.cross(other, ahead))
        let up = Self.cross(ahead, left)
        // Between two obstacles on either side the clearance has a ridge, along which one step alone may lead nowhere.
        let (rising, falling) = (left + up, left - up)
        let ways: [Place] = [left, -left, up, -up, rising, -rising, falling, -falling]
        var best = Bottleneck(clearance: freeRadius(at: middle), place: middle)
        var step = edge / 2
        while step > edge * Self.accuracy {
            var isBetter = false
            for way in ways {
                let place = best.place + step * way
                guard (place - middle).length <= edge, isAllowed(place) else { continue }
                let freeRadius = freeRadius(at: place)
                if freeRadius > best.clearance {
                    (best, isBetter) = (Bottleneck(clearance: freeRadius, place: place), true)
                }
            }
            if !isBetter { step /= 2 }
        }
        return best
    }

    /// How exactly the widest place across a path is found, in cells.
    private static let accuracy = 1.0 / 2000

    private func isAllowed(_ place: Place) -> Bool {
        guard work.space.allows(place) else { return false }
        return work.passability.area?.contains(work.space.world(place)) ?? true
    }

    private func freeRadius(at place: Place) -> Double {
        let limit = work.passability.clearance + work.space.grid.edge
        var nearest = ClearanceProbe.Nearest(pointsWithin: limit, unknownWithin: limit)
        work.passability.probe.look(from: place, to: place, &nearest)
        return nearest.least
    }

    private static func cross(_ a: Place, _ b: Place) -> Place {
        Place(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    private static func unit(_ vector: Place) -> Place { vector / vector.length }
}
