internal import ModeKit
public import RouteFlight
internal import Planning
internal import PointCloud
internal import ReportKit
internal import Synchronization
internal import Trajectories
internal import UAVLink

/// Plans past the points of the map; where there is no map, straight, and says so.
public final class CollisionFreePlanning: IndoorPlanning {
    /// The interactor keeps what it has worked out of the map, so it stays as long as map and settings do.
    private let known = Mutex<(map: IndoorPicture, settings: InspectionSettings, interactor: InspectionInteractor)?>(
        nil)

    /// A planner that knows no map yet.
    public init() {}

    /// See ``IndoorPlanning``.
    public func plan(
        _ request: IndoorPlanRequest, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan {
        guard let map = request.map else { return try await straight(request, conditions) }
        let interactor = interactor(map, request.settings.inspection)
        do throws(InspectionFailure) {
            let plan =
                request.settings.goesAround
                ? try await interactor.plan(past: request.points, from: request.start, conditions)
                : try await interactor.plan(
                    along: request.points, visits: request.points.indices.map { $0 }, conditions)
            return Self.indoor(plan, request.settings)
        } catch {
            throw IndoorPlanProblem(InspectionWords.line(error), place: Self.place(error, request.points))
        }
    }

    private func interactor(_ map: IndoorPicture, _ settings: InspectionSettings) -> InspectionInteractor {
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
                .distance, .warning, text: "there is no map: nobody looked whether something is in the way"))
        return IndoorPlan(plan, path: request.points)
    }

    // MARK: Words

    private static func indoor(_ plan: InspectionPlan, _ settings: IndoorPlanSettings) -> IndoorPlan {
        var trajectory = plan.trajectory
        if settings.inspection.unknownIsOpen {
            trajectory.report.findings.append(
                TrajectoryFinding(.distance, .warning, text: "space that nobody has seen counts as free, as you said"))
        }
        return IndoorPlan(
            trajectory, leastClearanceMetres: plan.leastClearanceMetres, facts: clearances(plan), path: plan.path)
    }

    /// What the way to each point comes near to: `to 2 (0.71 m)`.
    private static func clearances(_ plan: InspectionPlan) -> [LabeledValue] {
        var facts: [LabeledValue] = []
        var least = Double.infinity
        for (index, visit) in plan.visits.enumerated().dropFirst() {
            if plan.flown.indices.contains(index - 1) { least = min(least, plan.flown[index - 1].metres) }
            guard let visit else { continue }
            facts.append(LabeledValue("way to \(visit + 1)", "\(least.formatted(decimals: 2)) m free"))
            least = .infinity
        }
        return facts
    }

    /// Where to look for what is in the way.
    private static func place(_ failure: InspectionFailure, _ points: [PlannedPoint]) -> Vector3? {
        switch failure {
        case .noPath(let why):
            switch why.reason {
            case .blocked(_, let obstruction): return place(obstruction) ?? why.nearestReachable
            case .noWay(_, _, let gap): return gap?.place ?? why.nearestReachable
            }
        case .unsafe(let segment, let obstruction):
            return place(obstruction) ?? (points.indices.contains(segment) ? points[segment].position : nil)
        case .request, .cancelled: return nil
        }
    }

    private static func place(_ obstruction: Obstruction) -> Vector3? {
        switch obstruction {
        case .mapPoint(let place, _), .unknown(let place, _): place
        case .outsideMap, .outsideArea: nil
        }
    }
}
