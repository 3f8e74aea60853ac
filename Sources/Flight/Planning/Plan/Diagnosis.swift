internal import UAVLink

/// Finds out why there is no path.
struct Diagnosis {
    let work: PlanningWork

    /// The centre nearest to a place that can be reached from `start`, or of all that the vehicle fits at when that is absent.
    func nearestReachable(to place: Place, from start: Place?) throws(Interruption) -> Vector3? {
        let grid = work.space.grid
        // With a goal that has no way in, the search goes everywhere it can.
        if let start {
            if case .cancelled = work.search.search(from: start, to: grid.corner - 1e6) { throw .cancelled }
        }
        var nearest: (square: Double, place: Place)?
        for cell in 0..<grid.count {
            if start != nil, !work.search.wasReached(cell) { continue }
            let centre = grid.centre(index: cell)
            let square = (centre - place).dot(centre - place)
            guard square < nearest?.square ?? .infinity, work.passability.kind(cell) > Passability.blocked else {
                continue
            }
            nearest = (square, centre)
        }
        return nearest.map { work.space.world($0.place) }
    }

    /// What lies between two stops that both are free, after a search from the one came to nothing.
    func noWay(from: Int, to: Int, _ stops: [Place]) throws(Interruption) -> NoPath {
        let nearest = try nearestReachable(to: stops[to], from: stops[from])
        let widest = try WidestWay(work: work).between(stops[from], stops[to])
        var gap: NoPath.Gap?
        if let widest {
            gap = .init(
                clearanceMetres: widest.clearance, place: work.space.world(widest.place),
                obstruction: obstruction(at: widest.place))
        }
        return NoPath(
            reason: .noWay(from: PlanningWork.stop(from), to: PlanningWork.stop(to), narrowest: gap),
            nearestReachable: nearest, clearanceMetres: work.passability.clearance, cellMetres: work.space.cellMetres)
    }

    private func obstruction(at place: Place) -> Obstruction {
        let clearance = work.space.clearance(at: work.space.world(place))
        if let unknown = clearance.unknownMetres, let cell = clearance.nearestUnknown, unknown < clearance.metres {
            return .unknown(cell, metres: unknown)
        }
        guard let point = clearance.nearestPoint else { return .outsideMap }
        return .mapPoint(point, metres: clearance.metres)
    }
}
