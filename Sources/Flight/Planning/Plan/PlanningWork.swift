internal import UAVLink

/// One run of the planner.
final class PlanningWork {
    let space: KnownSpace
    let request: PlanRequest
    let passability: Passability
    let search: GridSearch
    private let tightening: PathTightening
    private let isCancelled: () -> Bool
    /// Stop 0 is the start, stop n is place n - 1.
    private let stops: [Place]
    private var paths: [SIMD2<Int>: [Place]] = [:]

    init(space: KnownSpace, request: PlanRequest, isCancelled: @escaping () -> Bool) {
        self.space = space
        self.request = request
        self.isCancelled = isCancelled
        passability = Passability(space)
        search = GridSearch(passability, isCancelled: isCancelled)
        tightening = PathTightening(passability: passability)
        stops = ([request.start] + request.places).map(space.local)
    }

    /// Finds the order and the paths.
    func visitAll(_ progress: (Double) -> Void) throws(Interruption) -> PlannedPath {
        guard request.order == .best else {
            return try path(Array(1..<stops.count), isShortest: false, progress)
        }
        var distances = stops.map { from in stops.map { (from - $0).length } }
        var shortest: (order: [Int], length: Double)?
        // A straight line is never longer than a path. So when the best order, by known lengths and by straight lines for
        // the pairs not searched yet, uses known lengths only, no other order is shorter: most pairs of places are never
        // searched.
        for round in 0..<max(8, 2 * stops.count) {
            let order = VisitOrder.best(distances, returns: request.returns)
            var isKnown = true
            for (from, to) in hops(order) where paths[Self.key(from, to)] == nil {
                let length = Self.length(try find(from, to))
                isKnown = isKnown && length <= distances[from][to] * (1 + 1e-9)
                distances[from][to] = length
                distances[to][from] = length
            }
            let length = VisitOrder.length(order, distances, request.returns)
            if length < shortest?.length ?? .infinity { shortest = (order, length) }
            progress(1 - 1 / Double(round + 2))
            if isKnown { break }
        }
        return try path(
            shortest?.order ?? [], isShortest: stops.count <= VisitOrder.exactCount, progress)
    }

    /// The first stop at which the vehicle does not fit, if any.
    func blockedStop() throws(Interruption) -> NoPath? {
        for index in stops.indices {
            let place = index == 0 ? request.start : request.places[index - 1]
            let clearance = space.clearance(at: place)
            guard let obstruction = clearance.obstruction(clearanceMetres: passability.clearance) else { continue }
            let diagnosis = Diagnosis(work: self)
            return NoPath(
                reason: .blocked(Self.stop(index), by: obstruction),
                nearestReachable: try diagnosis.nearestReachable(to: stops[index], from: index == 0 ? nil : stops[0]),
                clearanceMetres: passability.clearance, cellMetres: space.cellMetres)
        }
        return nil
    }

    static func stop(_ index: Int) -> Stop { index == 0 ? .start : .place(index - 1) }

    func checkCancelled() throws(Interruption) { if isCancelled() { throw .cancelled } }

    private func path(
        _ order: [Int], isShortest: Bool, _ progress: (Double) -> Void
    ) throws(Interruption) -> PlannedPath {
        var legs: [PlannedPath.Leg] = []
        let hops = hops(order)
        for (from, to) in hops {
            var path = try find(from, to)
            if from > to { path.reverse() }
            // The ends are exactly the requested places.
            var places = path.map(space.world)
            places[0] = from == 0 ? request.start : request.places[from - 1]
            places[places.count - 1] = to == 0 ? request.start : request.places[to - 1]
            legs.append(
                .init(
                    from: Self.stop(from), to: Self.stop(to), path: places,
                    clearances: space.clearances(alongPath: places)))
            progress(Double(legs.count) / Double(hops.count))
        }
        return PlannedPath(legs: legs, order: order.map { $0 - 1 }, isShortestOrder: isShortest)
    }

    private func hops(_ order: [Int]) -> [(Int, Int)] {
        let all = [0] + order + (request.returns ? [0] : [])
        return Array(zip(all, all.dropFirst()))
    }

    /// The path between two stops, starting at the one with the smaller index.
    private func find(_ from: Int, _ to: Int) throws(Interruption) -> [Place] {
        let key = Self.key(from, to)
        if let known = paths[key] { return known }
        let (start, goal) = (stops[key.x], stops[key.y])
        try checkCancelled()
        if passability.isOpen(start, goal) {
            paths[key] = [start, goal]
            return [start, goal]
        }
        switch search.search(from: start, to: goal) {
        case .cancelled: throw .cancelled
        case .way(let centres):
            let path = tightening.tightened([start] + centres + [goal])
            paths[key] = path
            return path
        case .none:
            // A gap between the cells' centres: the widest path is followed by its places instead.
            let widest = try WidestPath(work: self).between(start, goal)
            guard let path = widest?.path else {
                throw .noPath(
                    try Diagnosis(work: self).noPathBetween(from: from, to: to, stops, widest: widest))
            }
            let short = tightening.tightened(path)
            paths[key] = short
            return short
        }
    }

    private static func key(_ from: Int, _ to: Int) -> SIMD2<Int> { SIMD2(min(from, to), max(from, to)) }

    private static func length(_ path: [Place]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
    }
}
