internal import Planning
internal import Trajectories
internal import UAVLink

extension InspectionInteractor {
    /// A hold that makes a trajectory stop at a corner, seconds.
    private static let cornerHoldSeconds = 0.1

    /// The path as it is written to a file of points, which has neither speed nor rounding: flown with the usual ones it keeps away
    /// from the map, the safety area's border and obstacles, too. Where it would not, the vehicle stops at the corners.
    ///
    /// - Parameter conditions: those of the plan.
    func written(_ plan: InspectionPlan, _ conditions: FlightConditions) async -> [PlannedPoint] {
        let path = plan.path
        var usual = conditions
        usual.settings.options = TrajectoryOptions()
        let isSafe = try? await PlanningThread.run { [usual] _ throws(InspectionFailure) -> Bool in
            try self.isSafe(path, usual)
        }
        guard isSafe != true else { return path }
        return path.enumerated().map { index, point in
            var point = point
            let isCorner = index > 0 && index < path.count - 1
            if isCorner, point.holdSeconds == 0 { point.holdSeconds = Self.cornerHoldSeconds }
            return point
        }
    }

    private func isSafe(_ path: [PlannedPoint], _ conditions: FlightConditions) throws(InspectionFailure) -> Bool {
        guard let plan = try? TrajectoryPlan(through: path, conditions) else { return false }
        let isOutside = plan.report.findings.contains {
            $0.weight == .failure && ($0.kind == .safetyArea || $0.kind == .obstacle)
        }
        guard !isOutside else { return false }
        let space = try self.space(self.fittingTolerances[0], conditions, path.map(\.position), cell: nil)
        return clearances(plan.generated, space).allSatisfy { $0.obstruction(clearanceMetres: promised) == nil }
    }

    /// Clearance of the samples between consecutive points of the path.
    func clearances(_ generated: GeneratedTrajectory, _ space: KnownSpace) -> [SegmentClearance] {
        let samples = generated.trajectory.points.map(\.position)
        let ends = generated.pointSamples
        guard ends.count > 1 else { return [space.clearance(alongSamples: samples)] }
        return (1..<ends.count).map { index in
            let first = index == 1 ? 0 : ends[index - 1]
            let last = index == ends.count - 1 ? samples.count - 1 : ends[index]
            return space.clearance(alongSamples: samples[min(first, last)...max(first, last)])
        }
    }
}
