internal import FlightVolume
internal import Geodesy
internal import Planning
package import PointCloud
internal import ReportKit
internal import Synchronization
package import Trajectories
package import UAVLink

/// Plans inspections in one map, for screens and subcommands alike.
///
/// Computation runs on dedicated threads, stops when the requesting task is cancelled, and reports progress.
package final class InspectionInteractor: Sendable {
    /// The map, in `world_origin`.
    package let map: PointCloud
    /// User settings.
    package let settings: InspectionSettings
    private let spaces = Mutex<[SpaceKey: KnownSpace]>([:])

    /// Cache key: what a known space depends on besides map and settings.
    private struct SpaceKey: Hashable {
        var tolerance: Double
        var cell: Double?
        var area: FlyableVolume?
        var start: Vector3?
    }

    /// Extra clearance of the straight path beyond the promised one, metres, tried in this order: at a corner the trajectory
    /// cuts inwards, towards the obstacle, by up to its allowed deviation. The last value covers rounding only.
    static let tolerances = [0.1, roundingMetres]
    private static let roundingMetres = 0.002
    /// Those that the region leaves space for; the clearance itself where it leaves none.
    var fittingTolerances: [Double] {
        let fitting = Self.tolerances.filter { settings.leavesSpace(beyondClearance: $0) }
        return fitting.isEmpty ? [0] : fitting
    }

    /// Creates an interactor for a map.
    package init(map: PointCloud, settings: InspectionSettings = .init()) {
        self.map = map
        self.settings = settings
    }

    /// Plans a path past points and the trajectory along it.
    ///
    /// - Parameters:
    ///   - points: the points in `world_origin`; heading, hold, camera and snapshot are kept.
    ///   - start: position of the vehicle; `nil`: the first of the points.
    ///   - onProgress: progress, 0 to 1; called on any thread.
    /// - Throws: ``InspectionFailure``.
    package func plan(
        past points: [PlannedPoint], from start: Vector3? = nil, _ conditions: FlightConditions,
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(InspectionFailure) -> InspectionPlan {
        guard let first = points.first else { throw .request("no points to inspect") }
        let begin = start ?? first.position
        return try await PlanningThread.run { isCancelled throws(InspectionFailure) -> InspectionPlan in
            let places = [begin] + points.map(\.position)
            func attempt(_ tolerance: Double, cell: Double?) throws(InspectionFailure) -> InspectionPlan {
                let space = try self.space(tolerance, conditions, places, cell: cell)
                onProgress(0.3)
                let found: ([PlannedPoint], [Int?])
                do throws(InspectionFailure) {
                    found = try self.path(past: points, from: start, in: space, isCancelled) {
                        onProgress(0.3 + 0.5 * $0)
                    }
                } catch {
                    throw self.advised(error, space, places)
                }
                var plan = try self.fly(found.0, found.1, conditions, space, deviation: tolerance, isCancelled)
                if let warning = Self.warning(space) { plan.trajectory.report.findings.append(warning) }
                onProgress(1)
                return plan
            }
            var failure = InspectionFailure.cancelled
            let tolerances = self.fittingTolerances
            for tolerance in tolerances {
                do throws(InspectionFailure) { return try attempt(tolerance, cell: nil) } catch {
                    guard case .noPath = error else {
                        throw self.explained(error, from: start, past: points.map(\.position))
                    }
                    failure = error
                }
            }
            guard case .noPath(var why) = failure else { throw failure }
            // The clearance itself, before a no for want of the millimetres beyond it.
            if why.isClose(to: self.promised), let plan = try? attempt(0, cell: nil) { return plan }
            if isCancelled() { throw .cancelled }
            // Cells of half the size, if there is memory for them, before a no that is not certain.
            if !why.isCertain, self.settings.cellMetres == nil, why.cellMetres / 2 <= self.promised {
                let least = tolerances.last ?? Self.roundingMetres
                do throws(InspectionFailure) { return try attempt(least, cell: why.cellMetres / 2) } catch {
                    switch error {
                    case .noPath(let finer): why = finer
                    case .tooLarge: break
                    default: throw error
                    }
                }
            }
            // What is said to be needed is what was promised, where less than that was found.
            if !why.isClose(to: self.promised) { why.clearanceMetres = self.promised }
            throw .noPath(why)
        }
    }

    /// Checks an edited path and generates the trajectory along it.
    ///
    /// - Parameter visits: as ``InspectionPlan/visits``.
    /// - Throws: ``InspectionFailure``; ``InspectionFailure/unsafe(segment:_:)`` names the first segment that is not safe.
    package func plan(
        along path: [PlannedPoint], visits: [Int?], _ conditions: FlightConditions
    ) async throws(InspectionFailure) -> InspectionPlan {
        guard let first = path.first, path.count == visits.count else { throw .request("the path has no points") }
        return try await PlanningThread.run { isCancelled throws(InspectionFailure) in
            let most = self.fittingTolerances[0]
            let space = try self.space(most, conditions, [first.position] + path.map(\.position), cell: nil)
            let segments = space.clearances(alongPath: path.map(\.position))
            for (index, segment) in segments.enumerated() {
                if let obstruction = segment.obstruction(clearanceMetres: self.promised) {
                    throw .unsafe(segment: index, obstruction)
                }
            }
            return try self.fly(path, visits, conditions, space, deviation: most, isCancelled)
        }
    }

    /// Clearance that a path keeps from every map point, metres.
    package var promised: Double { settings.body.clearanceMetres }

    // MARK: Steps

    /// - Parameters:
    ///   - places: the start, and all points.
    ///   - cell: edge of the cells, metres; `nil`: that of the settings.
    func space(
        _ tolerance: Double, _ conditions: FlightConditions, _ places: [Vector3], cell: Double?
    ) throws(InspectionFailure) -> KnownSpace {
        let free = settings.freeAroundStartMetres
        let start = free > 0 ? places.first : nil
        let key = SpaceKey(tolerance: tolerance, cell: cell, area: Self.area(conditions), start: start)
        if let known = spaces.withLock({ $0[key] }) { return known }
        let body = body(tolerance)
        // The second tolerance makes the largest cells smaller: those that the first one accepts are accepted by it too.
        let wanted = settings.cellMetres.map { tolerance == Self.tolerances[0] ? $0 : min($0, body.clearanceMetres) }
        let options = MapOptions(
            cellMetres: cell ?? wanted, viewpoints: settings.viewpoints, unknownIsOpen: settings.unknownIsOpen,
            declaredFree: start.map { [MapOptions.Ball(centre: $0, radiusMetres: free)] } ?? [], area: key.area,
            obstacleReserveMetres: tolerance, region: settings.region)
        do {
            let space = try KnownSpace(map: map, for: body, options: options)
            // Bounds the cache; entries of other starts are not requested again.
            spaces.withLock {
                if $0.count > 3 { $0.removeAll() }
                $0[key] = space
            }
            return space
        } catch {
            guard error.isTooLarge else { throw .request(error.what) }
            throw .tooLarge(error.what, finer(options, places))
        }
    }

    private func body(_ tolerance: Double) -> VehicleBody {
        var body = settings.body
        body.marginMetres += tolerance
        return body
    }

    /// A part of the map around the places that can be searched with small cells, whatever the tolerance.
    private func finer(_ options: MapOptions, _ places: [Vector3]) -> SearchRegion? {
        SearchRegion.around(places, in: map, for: fittingTolerances.map { body($0) }, options)
    }

    /// Adds to a failure the part of the map that can be searched with smaller cells, if larger ones may be its reason.
    private func advised(_ failure: InspectionFailure, _ space: KnownSpace, _ places: [Vector3]) -> InspectionFailure {
        guard case .noPath(var why) = failure, space.isCoarsened else { return failure }
        var isDoubtful = !why.isCertain
        // The unknown space around a place is the farther away the smaller the cells are.
        if case .blocked(_, by: .unknown(_, let metres)) = why.reason, metres > 0 { isDoubtful = true }
        guard isDoubtful, let part = finer(space.options, places), part.cellMetres < space.cellMetres else {
            return failure
        }
        why.finer = part
        return .noPath(why)
    }

    /// A warning if the cells are larger than the vehicle's size asks for.
    private static func warning(_ space: KnownSpace) -> TrajectoryFinding? {
        guard space.isCoarsened else { return nil }
        let (used, wanted) = (
            space.cellMetres.formatted(decimals: 2), space.finestCellMetres.formatted(decimals: 2)
        )
        return TrajectoryFinding(
            .distance, .warning,
            text: "the map is large: it is searched with cells of \(used) m instead of \(wanted) m, which keeps the"
                + " clearance but may miss gaps and shorter paths")
    }

    private static func area(_ conditions: FlightConditions) -> FlyableVolume? {
        let heights = conditions.settings.altitudes
        let own = conditions.volume.flatMap { $0.isEnabled ? $0 : nil }
        let areas =
            (own.map { [$0] } ?? [])
            + conditions.fileLimits.map(\.volume).filter { $0.isEnabled && !$0.obstacles.isEmpty }
        guard let first = areas.first else {
            return heights.map {
                FlyableVolume(corners: [], minimumZMetres: $0.lowerBound, maximumZMetres: $0.upperBound)
            }
        }
        let lowest = areas.reduce(heights?.lowerBound ?? -.infinity) { max($0, $1.minimumZMetres) }
        let highest = areas.reduce(heights?.upperBound ?? .infinity) { min($0, $1.maximumZMetres) }
        return FlyableVolume(
            corners: first.corners, minimumZMetres: lowest, maximumZMetres: max(lowest, highest),
            obstacles: areas.flatMap(\.obstacles),
            obstacleMarginMetres: areas.reduce(0) { max($0, $1.obstacleMarginMetres) })
    }

    private func path(
        past points: [PlannedPoint], from start: Vector3?, in space: KnownSpace,
        _ isCancelled: @escaping @Sendable () -> Bool, onProgress: (Double) -> Void
    ) throws(InspectionFailure) -> ([PlannedPoint], [Int?]) {
        // Without a start the path begins at the first point, which is then visited first.
        let others = start == nil ? Array(points.dropFirst()) : points
        let begin = start ?? points[0].position
        let shift = points.count - others.count
        guard !others.isEmpty else { return ([held(points[0])], [0]) }
        let request = PlanRequest(
            start: begin, places: others.map(\.position), order: settings.order, returns: settings.returns)
        let outcome: PlanOutcome
        do {
            outcome = try PathPlanner(space: space).plan(request, isCancelled: isCancelled, progress: onProgress)
        } catch {
            throw error == .cancelled ? .cancelled : .request(error.what)
        }
        guard case .path(let found) = outcome else {
            guard case .noPath(var why) = outcome else { throw .cancelled }
            why.shift(by: shift)
            throw .noPath(why)
        }
        var path = [
            shift == 0 ? PlannedPoint(position: begin, heading: others[found.order[0]].heading) : held(points[0])
        ]
        var visits: [Int?] = [shift == 0 ? nil : 0]
        for leg in found.legs {
            path += leg.path.dropFirst().dropLast().map { PlannedPoint(position: $0, heading: .alongPath) }
            visits += Array(repeating: nil, count: max(0, leg.path.count - 2))
            switch leg.to {
            case .place(let index):
                path.append(held(others[index]))
                visits.append(index + shift)
            case .start:
                path.append(PlannedPoint(position: begin, heading: path.last?.heading ?? .alongPath))
                visits.append(nil)
            }
        }
        return (path, visits)
    }

    private func held(_ point: PlannedPoint) -> PlannedPoint {
        var point = point
        if point.holdSeconds == 0 { point.holdSeconds = settings.holdSeconds }
        return point
    }

    /// The trajectory along a path, as smooth as the map permits.
    private func fly(
        _ path: [PlannedPoint], _ visits: [Int?], _ conditions: FlightConditions, _ space: KnownSpace,
        deviation: Double, _ isCancelled: () -> Bool
    ) throws(InspectionFailure) -> InspectionPlan {
        var worst: (segment: Int, Obstruction)?
        for deviation in deviations(conditions, deviation) {
            if isCancelled() { throw .cancelled }
            var conditions = conditions
            conditions.settings.options.shape = deviation > 0 ? .smoothed(deviationMetres: deviation) : .straight
            let trajectory: TrajectoryPlan
            do { trajectory = try TrajectoryPlan(through: path, conditions) } catch { throw .request(error.what) }
            let flown = clearances(trajectory.generated, space)
            worst =
                flown.enumerated().lazy.compactMap { index, clearance in
                    clearance.obstruction(clearanceMetres: self.promised).map { (index, $0) }
                }.first
            if worst == nil {
                return InspectionPlan(
                    path: path, visits: visits, segments: space.clearances(alongPath: path.map(\.position)),
                    flown: flown, trajectory: trajectory, guaranteedMetres: promised, deviationMetres: deviation)
            }
        }
        guard let worst else { throw .cancelled }
        throw .unsafe(segment: worst.segment, worst.1)
    }

    /// Corner deviations to try, from the smoothest to none.
    private func deviations(_ conditions: FlightConditions, _ tolerance: Double) -> [Double] {
        guard case .smoothed(let wanted) = conditions.settings.options.shape else { return [0] }
        return [wanted, 2 * tolerance, tolerance, tolerance / 2, 0].filter { $0 <= wanted && $0 >= 0.005 || $0 == 0 }
    }
}
