internal import FlightControl
internal import Trajectories
internal import UAVLink

/// Whether the vehicle holds the trajectory that it is believed to hold: another ground, or another call of this program, may have
/// sent another one since.
extension RouteFlightController {
    /// Why what the vehicle would fly is not the held route, as its tracker says; `nil` if it is, or if that is not known.
    ///
    /// The tracker tells the number of samples; the flight shows the rest (``FlownTrack/strayMetres``).
    package var otherTrajectory: TrajectoryFlightFailure? {
        guard let held, let tracker = flight.link.latestTelemetry?.tracker,
            tracker.age(now: clock.now) < Self.oldestFlightStatus
        else { return nil }
        let planned = held.plan.generated.trajectory.points.count
        let loaded = tracker.value.trajectoryLength
        // Trackers that follow none, such as that of the take-off, tell none.
        guard loaded > 0 else { return nil }
        var tolerance = 0
        if let sentAt {
            guard tracker.at - sentAt > RouteFlightState.reportLag else { return nil }
        } else {
            // Made anew from the same file: heights above a ground that is measured differ by centimetres.
            tolerance = max(1, planned / 100)
        }
        guard loaded > planned + tolerance || loaded < planned - tolerance else { return nil }
        return .anotherTrajectory(held: loaded, planned: planned)
    }

    /// Compares a plan that was adopted with what the vehicle holds, as soon as its tracker reports.
    ///
    /// - Parameter timeout: for that report; without one nothing is compared.
    /// - Throws: ``TrajectoryFlightFailure/anotherTrajectory(held:planned:)``, or `CancellationError`.
    package func compareWithVehicle(within timeout: Duration) async throws {
        let clock = clock
        _ = try await flight.link.awaitTelemetry(within: timeout, on: clock) { telemetry in
            telemetry.tracker.flatMap { $0.age(now: clock.now) < Self.oldestFlightStatus ? $0.at : nil }
        }
        if let otherTrajectory { throw otherTrajectory }
    }
}
