internal import Trajectories
internal import UAVLink

/// How the vehicle ended a trajectory that its tracker does not follow any more.
enum TrajectoryEnding: Hashable {
    /// It is at the end, as far as its place is known.
    case atEnd
    /// The last sample is past, and it still flies there: it was far from it.
    case onItsWay
    /// At the end of another trajectory.
    case astray
    /// It ended elsewhere.
    case stopped
}

extension TrajectoryFlight {
    /// Tracking that ends beyond this fraction is complete; the index is reported ten times a second.
    private static let completedFraction = 0.98
    /// How far a report may lag behind the vehicle; see `FlightInteractor.Limits.goalFlagTimeout`.
    private static let reportSeconds = 0.5
    /// The largest distance from the last sample that counts as there.
    private static let endMetres = 1.0
    /// How long after the last sample the vehicle may be on its way to it: later a goal is another one. 100 m at 2 m/s.
    private static let arrivalTimeout: Duration = .seconds(50)

    /// How tracking ended, by a report without tracking: at the end, if the last sample was reported, or the rest had time enough to be
    /// flown, and the vehicle is there.
    func ending(_ tracker: Sample<TrackerStatus>) -> TrajectoryEnding {
        let end = loaded?.generated.trajectory.points.last
        let metres = end.flatMap { end in vehiclePosition.map { (end.position - $0).length } }
        let isThere = metres.map { $0 <= Self.endMetres }
        if progress.fraction > Self.completedFraction {
            if isThere != false { return .atEnd }
            if isSoonAfter(tracker), tracker.value.takesReferences, tracker.value.hasGoal { return .onItsWay }
            return track?.strayMetres == nil ? .stopped : .astray
        }
        guard isThere == true, let plan = loaded?.generated, let seen = progress.trackedAt else { return .stopped }
        let left = (1 - progress.fraction) * plan.durationSeconds
        return left <= (tracker.at - seen).inSeconds + Self.reportSeconds ? .atEnd : .stopped
    }

    /// Whether the vehicle has passed all samples and is at the end now, not later by another flight.
    func isAtEndOfSamples(_ tracker: Sample<TrackerStatus>) -> Bool {
        progress.fraction > Self.completedFraction && isSoonAfter(tracker) && ending(tracker) == .atEnd
    }

    private func isSoonAfter(_ tracker: Sample<TrackerStatus>) -> Bool {
        progress.trackedAt.map { tracker.at - $0 <= Self.arrivalTimeout } == true
    }
}
