public import UAVLink
public import VehicleAccess

/// Measures the links to a vehicle; a test puts its own here.
public protocol Measuring: Sendable {
    /// Measures, and tells what happens, from any thread. Cancelled, it ends soon with what was measured until then.
    ///
    /// - Throws: ``UAVLink/LinkError`` when nothing at all can be measured.
    func run(
        _ plan: MeasuringPlan, tell: @escaping @Sendable (MeasuringEvent) -> Void
    ) async throws(LinkError) -> LatencyReport
}

/// Measures through links of its own, beside the one that somebody is logged in over.
public struct VehicleMeasuring: Measuring {
    private let connector: VehicleConnector
    private let clock: any MonotonicClock

    /// Measures the vehicle of a connector.
    public init(_ connector: VehicleConnector, clock: any MonotonicClock = SystemMonotonicClock()) {
        self.connector = connector
        self.clock = clock
    }

    /// See ``Measuring/run(_:tell:)``; none of it runs on the caller's actor.
    @concurrent
    public func run(
        _ plan: MeasuringPlan, tell: @escaping @Sendable (MeasuringEvent) -> Void
    ) async throws(LinkError) -> LatencyReport {
        try await MeasuringInteractor(connector: connector, plan: plan, clock: clock).run(
            tellsFigures: true, progress: tell)
    }
}
