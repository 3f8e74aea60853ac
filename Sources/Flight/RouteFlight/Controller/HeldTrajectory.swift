internal import FlightControl
internal import Trajectories
internal import UAVLink

/// Whether the vehicle holds the trajectory that it is believed to hold: another ground, or another call of this program, may have
/// sent another one since.
extension RouteFlightController {
    /// Why what the vehicle would fly is not the held route, as its tracker says; `nil` if it is, or if that is not known.
    ///
    /// The tracker tells the number of samples; the flight shows the rest (``strayMetres``).
    package var otherTrajectory: TrajectoryFlightFailure? {
        guard let heldSince, let tracker = freshTracker, tracker.at - heldSince > RouteFlightState.reportLag else {
            return nil
        }
        return differing(tracker.value)
    }

    /// How far from the held route the vehicle was, metres, if it came to the end of a trajectory that was not this one; `nil` if it flew
    /// this one, or has not come to an end.
    package var strayMetres: Double? { if case .flown = state { flight.track?.strayMetres } else { nil } }

    /// Compares a plan that was adopted with what the vehicle holds, as soon as its tracker reports.
    ///
    /// The plan may have been sent a moment ago by another process, and a report from before that tells of the trajectory before it: a
    /// report that differs is judged only if it is newer than that by ``RouteFlightState/reportLag``.
    ///
    /// - Parameter timeout: for the report; without one nothing is compared.
    /// - Throws: ``TrajectoryFlightFailure/anotherTrajectory(held:planned:)``, or `CancellationError`.
    package func compareWithVehicle(within timeout: Duration) async throws {
        let isReported = try await flight.link.awaitTelemetry(within: timeout, on: clock) { _ in
            freshTracker.map { _ in true }
        }
        guard isReported == true, let heldSince else { return }
        let lag = RouteFlightState.reportLag
        _ = try await flight.link.awaitTelemetry(within: lag + timeout, on: clock) { _ -> Bool? in
            guard let tracker = freshTracker else { return nil }
            return differing(tracker.value) == nil || tracker.at - heldSince > lag ? true : nil
        }
        if let otherTrajectory { throw otherTrajectory }
    }

    /// The tracker's report; `nil` without one of now.
    private var freshTracker: Sample<TrackerStatus>? {
        flight.link.latestTelemetry?.tracker.flatMap { $0.age(now: clock.now) < Self.oldestFlightStatus ? $0 : nil }
    }

    /// That the trajectory of a report is not the held one; `nil` if it may be.
    private func differing(_ tracker: TrackerStatus) -> TrajectoryFlightFailure? {
        guard let held else { return nil }
        let planned = held.plan.generated.trajectory.points.count
        let loaded = tracker.trajectoryLength
        // Trackers that follow none, such as that of the take-off, tell none.
        guard loaded > 0 else { return nil }
        // Made anew from the same file: heights above a ground that is measured differ by centimetres.
        let tolerance = isAdopted ? max(1, planned / 100) : 0
        guard loaded > planned + tolerance || loaded < planned - tolerance else { return nil }
        return .anotherTrajectory(held: loaded, planned: planned)
    }
}
