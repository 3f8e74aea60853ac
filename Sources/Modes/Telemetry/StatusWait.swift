internal import FlightControl
package import UAVLink

extension StatusReport {
    /// Waits until pose, flight state, battery, tracker and GNSS have arrived, since the first frames hold only parts. A vehicle
    /// may lack one of them: what is missing after a time that depends on the link is left out.
    ///
    /// - Parameter timeout: for the whole; it counts while there is no telemetry at all.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package static func awaitTelemetry(
        of link: any UAVLink, within timeout: Duration, on clock: any MonotonicClock
    ) async throws(CancellationError) {
        // Over SSH each part has its own `rostopic echo`, and ten of those take seconds to start.
        let limit: Duration = link.kind.runsPrograms ? .seconds(8) : .seconds(3)
        let begun = clock.now
        _ = try await link.awaitTelemetry(within: timeout, on: clock) { seen -> Bool? in
            let isOverdue = seen.newest != nil && clock.now - begun >= limit
            let isComplete =
                seen.pose != nil && seen.flight != nil && seen.battery != nil && seen.tracker != nil && seen.gnss != nil
            return isOverdue || isComplete ? true : nil
        }
    }
}
