package import UAVLink

extension UAVLink {
    /// The first result of `look` for the newest telemetry that is not `nil`; `nil` after the timeout.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func awaitTelemetry<Value>(
        within timeout: Duration, on clock: any MonotonicClock, _ look: (Telemetry) -> Value?
    ) async throws(CancellationError) -> Value? {
        let deadline = clock.now + timeout
        while true {
            if let telemetry = latestTelemetry, let value = look(telemetry) { return value }
            guard clock.now < deadline else { return nil }
            // State frames of the channel arrive at 50 Hz: polling twice as often adds at most 10 ms.
            try await clock.sleep(for: .milliseconds(10))
        }
    }
}
