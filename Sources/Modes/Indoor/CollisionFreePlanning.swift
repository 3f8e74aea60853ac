internal import ModeKit
package import RouteFlight
internal import Planning
internal import PointCloud
internal import ReportKit
internal import Synchronization
internal import Trajectories
internal import UAVLink

/// Plans paths that avoid the points of the map; without a map, straight paths with a warning.
package final class CollisionFreePlanning: IndoorPlanning {
    /// The interactor caches what it derives from the map; it is reused while map and settings stay the same.
    private let known = Mutex<(map: PlacedIndoorMap, settings: InspectionSettings, interactor: InspectionInteractor)?>(
        nil)

    /// A planner without a cached map.
    package init() {}

    /// See ``IndoorPlanning``.
    package func plan(
        _ request: IndoorPlanRequest, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan {
        guard let map = request.map else { return try await straight(request, conditions) }
        let interactor = interactor(map, request.settings.inspection)
        do throws(InspectionFailure) {
            let plan =
                request.settings.avoidsObstacles
                ? try await interactor.plan(past: request.points, from: request.start, conditions)
                : try await interactor.plan(
                    along: request.points, visits: request.points.indices.map { $0 }, conditions)
            return Self.indoor(plan, request.settings)
        } catch {
            let remedy = error.isUnknownSpace ? " (keys: m frees space around the start, O opens unknown space)" : ""
            throw IndoorPlanProblem(InspectionText.line(error) + remedy, place: Self.place(error, request.points))
        }
    }

    private func interactor(_ map: PlacedIndoorMap, _ settings: InspectionSettings) -> InspectionInteractor {
        known.withLock { known in
            if let known, known.map == map, known.settings == settings { return known.interactor }
            let made = InspectionInteractor(map: map.layers.cloud, settings: settings)
            known = (map, settings, made)
            return made
        }
    }

    private func straight(
        _ request: IndoorPlanRequest, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan {
        var plan: TrajectoryPlan
        do throws(RouteError) { plan = try await TrajectoryPlan.make(through: request.points, conditions) } catch {
            throw IndoorPlanProblem(error.what)
        }
        plan.report.findings.append(
            TrajectoryFinding(
                .distance, .warning, text: "no map is open: the path was not checked for obstacles"))
        return IndoorPlan(plan, path: request.points)
    }

    // MARK: Words

    /// The warning of a plan that may lead through unknown space.
    static let unknownIsFree = "unknown space is treated as free (O changes it)"

    private static func indoor(_ plan: InspectionPlan, _ settings: IndoorPlanSettings) -> IndoorPlan {
        var trajectory = plan.trajectory
        if settings.inspection.unknownIsOpen {
            trajectory.report.findings.append(
                TrajectoryFinding(.distance, .warning, text: unknownIsFree))
        }
        return IndoorPlan(
            trajectory, leastClearanceMetres: plan.leastClearanceMetres, facts: clearances(plan), path: plan.path)
    }

    /// The least clearance on the path to each waypoint: `path to 2`, `clearance 0.71 m`.
    private static func clearances(_ plan: InspectionPlan) -> [LabeledValue] {
        var facts: [LabeledValue] = []
        var least = Double.infinity
        for (index, visit) in plan.visits.enumerated().dropFirst() {
            if plan.flown.indices.contains(index - 1) { least = min(least, plan.flown[index - 1].metres) }
            guard let visit else { continue }
            facts.append(LabeledValue("path to \(visit + 1)", "clearance \(least.formatted(decimals: 2)) m"))
            least = .infinity
        }
        return facts
    }

    /// The position of the obstacle, or else of a point near it.
    private static func place(_ failure: InspectionFailure, _ points: [PlannedPoint]) -> Vector3? {
        switch failure {
        case .noPath(let why):
            switch why.reason {
            case .blocked(_, let obstruction): return place(obstruction) ?? why.nearestReachable
            case .noPathBetween(_, _, let gap): return gap?.place ?? why.nearestReachable
            }
        case .unsafe(let segment, let obstruction):
            return place(obstruction) ?? (points.indices.contains(segment) ? points[segment].position : nil)
        case .request, .points, .tooLarge, .cancelled: return nil
        }
    }

    private static func place(_ obstruction: Obstruction) -> Vector3? {
        switch obstruction {
        case .mapPoint(let place, _), .unknown(let place, _): place
        case .outsideMap, .outsideRegion, .outsideArea, .obstacle: nil
        }
    }
}
