/// A* over the centres of cells, 26 neighbours each.
final class GridSearch {
    let passability: Passability
    private let grid: VoxelGrid
    private let costs: Block<Float>
    private let cameBy: Block<UInt8>
    private let stamps: Block<UInt16>
    private var stamp: UInt16 = 0
    private var heap = MinHeap()
    private let steps: [Step]
    private let isCancelled: () -> Bool

    private struct Step {
        var stride: Int
        var cell: SIMD3<Int>
        var cost: Float
    }

    /// A way that was found.
    struct Way {
        /// Centres of cells from the start's to the goal's, without start and goal themselves.
        var centres: [Place]
    }

    /// How a search ended.
    enum Outcome {
        case way([Place])
        case none
        case cancelled
    }

    init(_ passability: Passability, isCancelled: @escaping () -> Bool) {
        self.passability = passability
        self.isCancelled = isCancelled
        grid = passability.grid
        costs = Block(grid.count, 0)
        cameBy = Block(grid.count, 0)
        stamps = Block(grid.count, 0)
        var steps: [Step] = []
        for z in -1...1 {
            for y in -1...1 {
                for x in -1...1 where (x, y, z) != (0, 0, 0) {
                    steps.append(
                        Step(
                            stride: x + grid.counts.x * (y + grid.counts.y * z), cell: SIMD3(x, y, z),
                            cost: Float(x * x + y * y + z * z).squareRoot()))
                }
            }
        }
        self.steps = steps
    }

    /// The cells near a place from whose centres one can fly straight to it, with the distance in cells; nearest first.
    func doors(of place: Place) -> [(cell: Int, cost: Float)] {
        guard grid.contains(place) else { return [] }
        let home = grid.coordinates(place)
        var doors: [(cell: Int, cost: Float)] = []
        for z in -2...2 {
            for y in -2...2 {
                for x in -2...2 {
                    let cell = home &+ SIMD3(x, y, z)
                    guard (0..<grid.counts.x).contains(cell.x), (0..<grid.counts.y).contains(cell.y),
                        (0..<grid.counts.z).contains(cell.z)
                    else { continue }
                    let index = grid.index(cell)
                    guard passability.kind(index) > Passability.blocked else { continue }
                    let centre = grid.centre(cell)
                    guard passability.isOpen(place, centre) else { continue }
                    doors.append((index, Float((centre - place).length / grid.edge)))
                }
            }
        }
        return doors.sorted { ($0.cost, $0.cell) < ($1.cost, $1.cell) }
    }

    /// Looks for a short way from a place to another.
    ///
    /// When there is none, ``wasReached(_:)`` says which cells can be reached from the start.
    func search(from start: Place, to goal: Place) -> Outcome {
        begin()
        let goals = Dictionary(uniqueKeysWithValues: doors(of: goal).map { ($0.cell, $0.cost) })
        let aim = SIMD3<Float>((goal - grid.corner) / grid.edge - 0.5)
        for door in doors(of: start) {
            costs[door.cell] = door.cost
            cameBy[door.cell] = 255
            stamps[door.cell] = stamp
            heap.push(.init(total: door.cost + estimate(door.cell, aim), soFar: door.cost, cell: Int32(door.cell)))
        }
        var best: (total: Float, cell: Int)?
        var expanded = 0
        while let entry = heap.pop() {
            if let best, entry.total >= best.total { break }
            let cell = Int(entry.cell)
            if entry.soFar > costs.base[cell] { continue }
            expanded += 1
            if expanded & 0xFFF == 0, isCancelled() { return .cancelled }
            if let last = goals[cell], entry.soFar + last < best?.total ?? .infinity {
                best = (entry.soFar + last, cell)
            }
            expand(cell, entry.soFar, aim)
        }
        guard let best else { return .none }
        return .way(wayBack(from: best.cell))
    }

    /// Whether the newest search came to a cell.
    func wasReached(_ cell: Int) -> Bool { stamps[cell] == stamp }

    private func begin() {
        heap.removeAll()
        if stamp == .max {
            for index in 0..<grid.count { stamps[index] = 0 }
            stamp = 0
        }
        stamp += 1
    }

    @inline(__always)
    private func expand(_ cell: Int, _ cost: Float, _ aim: SIMD3<Float>) {
        let kind = passability.kind(cell)
        let here = grid.coordinates(index: cell)
        steps.withUnsafeBufferPointer { steps in
            for number in 0..<steps.count {
                let step = steps[number]
                let next = cell + step.stride
                let nextCost = cost + step.cost
                if stamps.base[next] == stamp, costs.base[next] <= nextCost { continue }
                let nextKind = passability.kind(next)
                guard nextKind > Passability.blocked, passability.canStep(cell, kind, next, nextKind) else { continue }
                stamps.base[next] = stamp
                costs.base[next] = nextCost
                cameBy.base[next] = UInt8(truncatingIfNeeded: number)
                let there = here &+ step.cell
                heap.push(.init(total: nextCost + estimate(there, aim), soFar: nextCost, cell: Int32(next)))
            }
        }
    }

    private func estimate(_ cell: Int, _ aim: SIMD3<Float>) -> Float { estimate(grid.coordinates(index: cell), aim) }

    /// What the way over cells costs at least: along space diagonals, then face diagonals, then straight.
    @inline(__always)
    private func estimate(_ cell: SIMD3<Int>, _ aim: SIMD3<Float>) -> Float {
        let x = abs(Float(cell.x) - aim.x)
        let y = abs(Float(cell.y) - aim.y)
        let z = abs(Float(cell.z) - aim.z)
        let most = max(x, max(y, z))
        let least = min(x, min(y, z))
        let middle = x + y + z - most - least
        return most + 0.414_213_56 * middle + 0.317_837_25 * least
    }

    private func wayBack(from last: Int) -> [Place] {
        var cell = last
        var centres = [grid.centre(index: cell)]
        while cameBy[cell] != 255 {
            cell -= steps[Int(cameBy[cell])].stride
            centres.append(grid.centre(index: cell))
        }
        return centres.reversed()
    }
}
