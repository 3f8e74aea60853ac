internal import FlightVolume

/// Finds the path between two places with the largest clearance, and its narrowest place.
struct WidestPath {
    let work: PlanningWork

    /// The narrowest place of a path.
    struct Bottleneck {
        var clearance: Double
        var place: Place
    }

    /// The narrowest place of the widest path; `nil` when no vehicle of any size passes.
    func between(_ start: Place, _ goal: Place) throws(Interruption) -> Bottleneck? {
        let way = try way(start, goal)
        let least = way.map { work.passability.freeRadius($0, limit: work.passability.clearance) }.min()
        guard way.count > 1, let least else { return nil }
        let grid = work.space.grid
        var narrows: Bottleneck?
        for index in 0..<(way.count - 1) {
            let (here, next) = (grid.centre(index: way[index]), grid.centre(index: way[index + 1]))
            // The position is refined by up to a cell below: a place wider by two cells cannot be the narrowest afterwards.
            guard work.passability.freeRadius(way[index], limit: least + 2 * grid.edge) < least + 2 * grid.edge else {
                continue
            }
            let before = grid.centre(index: way[max(0, index - 2)])
            let after = grid.centre(index: way[min(way.count - 1, index + 3)])
            for quarter in 0..<4 {
                let found = widened(here + Double(quarter) / 4 * (next - here), across: after - before)
                if found.clearance < narrows?.clearance ?? .infinity { narrows = found }
            }
        }
        return narrows
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

    private func freeRadius(_ cell: Int) -> Double {
        let space = work.space
        guard space.cells[cell] == KnownSpace.free else { return 0 }
        if let area = space.options.area, !area.contains(space.world(space.grid.centre(index: cell))) { return 0 }
        if work.passability.kind(cell) > Passability.blocked { return work.passability.clearance }
        return work.passability.freeRadius(cell, limit: work.passability.clearance)
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
    private func widened(_ middle: Place, across direction: Place) -> Bottleneck {
        let edge = work.space.grid.edge
        let ahead = direction.length > 0 ? direction / direction.length : Place(1, 0, 0)
        let other = abs(ahead.z) < 0.9 ? Place(0, 0, 1) : Place(1, 0, 0)
        let left = Self.unit(Self.cross(other, ahead))
        let up = Self.cross(ahead, left)
        var best = Bottleneck(clearance: freeRadius(at: middle), place: middle)
        var step = edge / 2
        while step > edge / 200 {
            var isBetter = false
            for way in [left, -left, up, -up] {
                let place = best.place + step * way
                guard (place - middle).length <= edge else { continue }
                let freeRadius = freeRadius(at: place)
                if freeRadius > best.clearance {
                    (best, isBetter) = (Bottleneck(clearance: freeRadius, place: place), true)
                }
            }
            if !isBetter { step /= 2 }
        }
        return best
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
