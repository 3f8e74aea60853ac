/// A* over the centres of cells with 26 neighbours each, guided by a coarse search over larger cells.
final class GridSearch {
    let passability: Passability
    private let grid: VoxelGrid
    private let nodes: Block<Node>
    private var stamp: UInt16 = 0
    private let steps: Block<Step>
    private let isCancelled: () -> Bool
    private lazy var coarse = CoarseLayer(passability)
    private var guides: [Place: CoarseGuide] = [:]

    private struct Step: BitwiseCopyable {
        var stride: Int
        var cell: SIMD3<Int>
        var cost: Float
    }

    /// The state of a cell in one struct, because memory access dominates the search.
    private struct Node: BitwiseCopyable {
        /// Cost from the start, in cells.
        var cost: Float
        /// The search that wrote this.
        var stamp: UInt16
        /// The step that led here.
        var step: UInt8
    }

    /// Value of ``Node/step`` for a cell at which the search began.
    private static let first: UInt8 = 255

    /// How the search ended.
    enum Outcome {
        /// A path was found: the centres of cells from the start to the goal.
        case way([Place])
        /// There is no path.
        case none
        /// The search was cancelled.
        case cancelled
    }

    init(_ passability: Passability, isCancelled: @escaping () -> Bool) {
        self.passability = passability
        self.isCancelled = isCancelled
        let grid = passability.grid
        self.grid = grid
        nodes = Block(grid.count, Node(cost: 0, stamp: 0, step: 0))
        steps = Block(26, Step(stride: 0, cell: .zero, cost: 0))
        for (number, cell) in CoarseLayer.neighbours.enumerated() {
            let square = cell.x * cell.x + cell.y * cell.y + cell.z * cell.z
            steps[number] = Step(
                stride: cell.x + grid.counts.x * (cell.y + grid.counts.y * cell.z), cell: cell,
                cost: Float(square).squareRoot())
        }
    }

    /// The cells near a place whose centres can be reached from it in a straight line, with the distance in cells; nearest
    /// first.
    func accessCells(of place: Place) -> [(cell: Int, cost: Float)] {
        guard grid.contains(place) else { return [] }
        let home = grid.coordinates(place)
        var accessCells: [(cell: Int, cost: Float)] = []
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
                    accessCells.append((index, Float((centre - place).length / grid.edge)))
                }
            }
        }
        return accessCells.sorted { ($0.cost, $0.cell) < ($1.cost, $1.cell) }
    }

    /// Searches for a short path between two places.
    ///
    /// If there is none, ``wasReached(_:)`` tells which cells can be reached from the start.
    func search(from start: Place, to goal: Place) -> Outcome {
        begin()
        // Local, to avoid exclusivity checks at every access.
        var heap = MinHeap()
        let goals = Dictionary(uniqueKeysWithValues: accessCells(of: goal).map { ($0.cell, $0.cost) })
        let guide = guide(to: goal)
        for access in accessCells(of: start) {
            nodes[access.cell] = Node(cost: access.cost, stamp: stamp, step: Self.first)
            let total = access.cost + guide.estimate(grid.coordinates(index: access.cell))
            heap.push(.init(total: total, soFar: access.cost, cell: Int32(access.cell)))
        }
        var best: (total: Float, cell: Int)?
        var expanded = 0
        while let entry = heap.pop() {
            if let best, entry.total >= best.total { break }
            let cell = Int(entry.cell)
            if entry.soFar > nodes.base[cell].cost { continue }
            expanded += 1
            if expanded & 0xFFF == 0, isCancelled() { return .cancelled }
            if let last = goals[cell], entry.soFar + last < best?.total ?? .infinity {
                best = (entry.soFar + last, cell)
            }
            expand(cell, entry.soFar, guide, &heap)
        }
        guard let best else { return .none }
        return .way(reconstructedPath(from: best.cell))
    }

    /// Whether the last search reached a cell.
    func wasReached(_ cell: Int) -> Bool { nodes[cell].stamp == stamp }

    private func begin() {
        if stamp == .max {
            for index in 0..<grid.count { nodes[index].stamp = 0 }
            stamp = 0
        }
        stamp += 1
    }

    private func guide(to goal: Place) -> CoarseGuide {
        if let known = guides[goal] { return known }
        let guide = CoarseGuide(
            coarse, aim: SIMD3<Float>((goal - grid.corner) / grid.edge - 0.5), from: grid.coordinates(goal))
        guides[goal] = guide
        return guide
    }

    @inline(__always)
    private func expand(_ cell: Int, _ cost: Float, _ guide: CoarseGuide, _ heap: inout MinHeap) {
        let kind = passability.kind(cell)
        let here = grid.coordinates(index: cell)
        let (nodes, stamp) = (nodes.base, stamp)
        for number in 0..<steps.count {
            let step = steps.base[number]
            let next = cell + step.stride
            let nextCost = cost + step.cost
            if nodes[next].stamp == stamp, nodes[next].cost <= nextCost { continue }
            let nextKind = passability.kind(next)
            guard nextKind > Passability.blocked, passability.canStep(cell, kind, next, nextKind) else { continue }
            nodes[next] = Node(cost: nextCost, stamp: stamp, step: UInt8(truncatingIfNeeded: number))
            let total = nextCost + guide.estimate(here &+ step.cell)
            heap.push(.init(total: total, soFar: nextCost, cell: Int32(next)))
        }
    }

    private func reconstructedPath(from last: Int) -> [Place] {
        var cell = last
        var centres = [grid.centre(index: cell)]
        while nodes[cell].step != Self.first {
            cell -= steps[Int(nodes[cell].step)].stride
            centres.append(grid.centre(index: cell))
        }
        return centres.reversed()
    }
}
