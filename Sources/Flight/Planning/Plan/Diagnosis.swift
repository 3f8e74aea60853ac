internal import FlightVolume
internal import UAVLink

/// Determines why there is no path.
struct Diagnosis {
    let work: PlanningWork

    /// The cell centre nearest to a place that can be reached from `start`; with `nil`, the nearest at which the vehicle
    /// fits.
    func nearestReachable(to place: Place, from start: Place?) throws(Interruption) -> Vector3? {
        let grid = work.space.grid
        // With an unreachable goal, the search expands everything it can reach.
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

    /// The gap between two stops that are both free, after the search between them found no path.
    ///
    /// - Parameter widest: the widest path between them; `nil` when no vehicle of any size passes.
    func noPathBetween(
        from: Int, to: Int, _ stops: [Place], widest: WidestPath.Found?
    ) throws(Interruption) -> NoPath {
        let nearest = try nearestReachable(to: stops[to], from: stops[from])
        var gap: NoPath.Gap?
        if let narrowest = widest?.narrowest {
            gap = .init(
                clearanceMetres: narrowest.clearance, place: work.space.world(narrowest.place),
                obstruction: obstruction(at: narrowest.place))
        }
        return NoPath(
            reason: .noPathBetween(from: PlanningWork.stop(from), to: PlanningWork.stop(to), narrowest: gap),
            nearestReachable: nearest, clearanceMetres: work.passability.clearance, cellMetres: work.space.cellMetres,
            isCertain: widest?.isTooNarrow ?? true, obstacles: obstacles(from: stops[from], to: stops[to]))
    }

    private func obstacles(from start: Place, to end: Place) -> [String] {
        guard let area = work.passability.area else { return [] }
        return area.obstacles.filter { obstacle in
            var alone = area
            alone.obstacles = [obstacle]
            return alone.firstObstacle(from: work.space.world(start), to: work.space.world(end)) != nil
        }.map(\.name)
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
