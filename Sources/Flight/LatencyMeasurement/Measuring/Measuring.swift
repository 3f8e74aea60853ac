package import FlightRecorder
package import UAVLink
package import VehicleAccess

/// Measures the links to a vehicle; tests supply their own.
package protocol Measuring: Sendable {
    /// Measures, and reports events from any thread. On cancellation it ends soon and returns what was measured until then.
    ///
    /// - Throws: ``UAVLink/LinkError`` when nothing at all can be measured.
    func run(
        _ plan: MeasuringPlan, tell: @escaping @Sendable (MeasuringEvent) -> Void
    ) async throws(LinkError) -> LatencyReport
}

/// Measures over links of its own, in addition to the one that is in use.
package struct VehicleMeasuring: Measuring {
    private let connector: VehicleConnector
    private let clock: any MonotonicClock
    private let recorder: FlightRecorder?

    /// Measures the vehicle of a connector.
    ///
    /// - Parameter recorder: records the measurement.
    package init(
        _ connector: VehicleConnector, clock: any MonotonicClock = SystemMonotonicClock(),
        recorder: FlightRecorder? = nil
    ) {
        self.recorder = recorder
        self.connector = connector
        self.clock = clock
    }

    /// See ``Measuring/run(_:tell:)``; none of it runs on the caller's actor.
    @concurrent
    package func run(
        _ plan: MeasuringPlan, tell: @escaping @Sendable (MeasuringEvent) -> Void
    ) async throws(LinkError) -> LatencyReport {
        try await MeasuringInteractor(
            connector: connector, plan: plan, clock: clock, recorder: recorder, recordsTelemetry: false
        ).run(
            reportsFigures: true, progress: tell)
    }
}
