public import Trajectories
internal import UAVLink

/// Straight from point to point, without a look at the map; says so.
public struct DirectPlanning: IndoorPlanning {
    /// Straight lines.
    public init() {}

    /// See ``IndoorPlanning``.
    public func plan(
        _ points: [PlannedPoint], map: IndoorPicture?, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan {
        var plan: TrajectoryPlan
        do throws(RouteError) { plan = try await TrajectoryPlan.make(through: points, conditions) } catch {
            throw IndoorPlanProblem(error.what)
        }
        plan.report.findings.append(
            TrajectoryFinding(.distance, .warning, text: "nobody looked whether something of the map is in the way"))
        return IndoorPlan(plan)
    }
}
