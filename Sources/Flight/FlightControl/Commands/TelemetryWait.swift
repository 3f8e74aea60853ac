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

    /// Waits until a companion's count of stops is known, without which a ``CommandSequence`` cannot tell that another ground stopped it.
    /// It comes right after the welcome, but not together with it; an older companion sends none. Without a companion it returns at once.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func awaitStopCount(on clock: any MonotonicClock) async throws(CancellationError) {
        guard let control = capabilities.control else { return }
        let deadline = clock.now + .milliseconds(500)
        while control.knownStops == nil, clock.now < deadline { try await clock.sleep(for: .milliseconds(5)) }
    }
}
