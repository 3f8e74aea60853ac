internal import ReportKit
internal import UAVLink

/// Waits until a trajectory is flown.
extension EffectWait {
    /// How long a started trajectory may take to show: the tracker reports it ten times a second, and over SSH seconds later.
    private static let trackingAppears: Duration = .seconds(5)
    /// A tracker that reports nothing for so long, ten times a second otherwise, is not waited for.
    private static let reportTimeout: Duration = .seconds(30)

    /// Until the tracker has passed the last sample, and the vehicle stands still: from afar it flies on for as long as it takes.
    ///
    /// - Parameter end: where the trajectory ends; `nil` if that is not known.
    func trajectory(to end: GoalPlace?) async throws(FlightInteractor.Failure) -> Arrival {
        let what = "at the end of the trajectory"
        // Its length is not known: without telemetry it would be waited for too long.
        try await wait(what, flight.limits.goal) { fresh($0.tracker) == nil ? nil : .seen }
        var watch = TrajectoryWatch()
        try await wait(
            what, flight.limits.trajectory,
            missing: { telemetry in watch.fraction.map { "\(Self.percent($0)) flown" } ?? summary(telemetry) }
        ) { telemetry in
            if let failed = interruption(telemetry) { return failed }
            guard let tracker = telemetry.tracker, tracker.at > begun else { return nil }
            let age = tracker.age(now: flight.clock.now)
            guard age < Self.reportTimeout else {
                return .failed(silence(telemetry) ?? "no tracker report for \(Int(saturating: age.inSeconds)) s")
            }
            let ending = watch.ending(tracker)
            let place = Self.place(telemetry)
            switch ending {
            case .flown: return .seen
            case .stopped(let fraction): return .failed("stopped\(place) after \(Self.percent(fraction))")
            case nil: break
            }
            guard watch.fraction == nil else { return nil }
            let waited = flight.clock.now - begun
            if waited > flight.limits.goalFlagTimeout, TrajectoryWatch.isAtEnd(tracker.value) { return .seen }
            return waited > Self.trackingAppears ? .failed("it does not follow the trajectory\(place)") : nil
        }
        let last = TrajectoryEnd(flight.link.latestTelemetry, now: flight.clock.now)
        try await wait(what, flight.limits.goal, missing: { _ in "past its last sample, not standing still yet" }) {
            telemetry in
            if let failed = interruption(telemetry) { return failed }
            return last.hasSettled(telemetry) ? .seen : nil
        }
        guard let end, let pose = flight.pose, end.isComparable(with: pose) else {
            return arrival(last.isNear(flight.pose) ? .flown : .notCompared, isOfTrajectory: true)
        }
        if let miss = end.miss(at: pose) {
            throw cancelled(what, "not reached: the flight ended at \(pose.positionMetres.placeText), \(miss)")
        }
        return arrival(.flown, isOfTrajectory: true)
    }
}

/// The moment in which the tracker has passed the last sample of a trajectory: the vehicle may still be far from its end.
///
/// A vehicle that has followed it is nearly there and stands still soon; one that was started or resumed from afar flies on.
struct TrajectoryEnd {
    private let position: Vector3?
    private let at: MonotonicTime

    /// A vehicle that begins to fly on shows it within this time.
    private static let settling: Duration = .milliseconds(500)
    /// How far behind the last sample a vehicle that has followed the trajectory may be, metres.
    private static let lagMetres = 1.0

    /// - Parameter telemetry: that showed it.
    init(_ telemetry: Telemetry?, now: MonotonicTime) {
        position = telemetry?.pose?.value.positionMetres
        at = telemetry?.tracker?.at ?? now
    }

    /// Whether the vehicle has no goal any more and stands still, by reports from after that moment.
    func hasSettled(_ telemetry: Telemetry) -> Bool {
        guard let tracker = telemetry.tracker, tracker.at - at >= Self.settling, !tracker.value.hasGoal,
            !tracker.value.isTrackingTrajectory
        else { return false }
        guard let velocity = telemetry.velocityMetresPerSecond else { return true }
        return velocity.at > at && velocity.value.length < EffectWait.standingStillMetresPerSecond
    }

    /// Whether it ended near where it was in that moment; a place that is not known is not near.
    func isNear(_ pose: Pose?) -> Bool {
        guard let position, let pose else { return false }
        return (pose.positionMetres - position).length <= Self.lagMetres
    }
}

extension GoalPlace {
    /// The last sample of a trajectory; `nil` if it has none, or one that cannot be compared with a pose.
    init?(endOf trajectory: Trajectory) {
        guard let last = trajectory.points.last else { return nil }
        self.init(
            of: .goTo(
                .init(.frame(trajectory.frame), position: last.position, headingRadians: last.headingRadians)),
            from: nil)
    }
}
