package import FlightControl
package import LatencyMeasurement
internal import LatencyOutput
internal import ReportKit
internal import RouteFlight
internal import Threads
internal import UAVLink

/// Measures the links of the selected vehicle and saves the results.
@MainActor
package final class LatencyLabInteractor {
    /// Creates the measuring of a vehicle; `nil` for a vehicle whose links cannot be measured.
    package typealias Maker = @MainActor (LoggedInVehicle) -> (any Measuring)?

    let desk: LatencyLabStore
    let clock: any MonotonicClock
    private let fleet: Fleet
    private let files: any FileAccess
    private let make: Maker

    init(fleet: Fleet, desk: LatencyLabStore, files: any FileAccess, clock: any MonotonicClock, make: @escaping Maker) {
        (self.fleet, self.desk, self.files, self.clock, self.make) = (fleet, desk, files, clock, make)
    }

    /// The selected vehicle.
    var vehicle: LoggedInVehicle? { fleet.selected }

    /// The flight state of the vehicle.
    var flightState: FlightState { vehicle?.link.latestTelemetry?.flight?.value.state ?? .unknown }

    /// Whether a pilot flies the vehicle by radio.
    var isFlownByRadio: Bool { fleet.radioFlight(of: vehicle) == .certain }

    /// The pilot who has control authority, as far as telemetry shows.
    var pilot: ControlStatus.Pilot? { vehicle?.link.latestTelemetry?.control?.value.pilot }

    /// The measuring of the vehicle; `nil` when its links cannot be measured.
    var measuring: (any Measuring)? { vehicle.flatMap(make) }

    /// Runs a measurement and evaluates it off the main actor.
    ///
    /// - Returns: the result; `nil` when the measurement ended before any sample.
    func measure(
        _ plan: MeasuringPlan, with measuring: any Measuring, tell: @escaping @MainActor (MeasuringEvent) -> Void
    ) async -> Result<LatencyLabResult?, LinkError> {
        (desk.isBusy, desk.isMeasuring) = (true, true)
        fleet.measuredID = fleet.selectedID
        defer {
            (desk.isBusy, desk.isMeasuring) = (false, false)
            fleet.measuredID = nil
        }
        let (events, feed) = AsyncStream.makeStream(of: MeasuringEvent.self)
        let reader = Task { @MainActor in for await event in events { tell(event) } }
        let outcome: Result<LatencyReport, LinkError>
        do throws(LinkError) {
            outcome = .success(try await measuring.run(plan) { feed.yield($0) })
        } catch {
            outcome = .failure(error)
        }
        feed.finish()
        await reader.value
        switch outcome {
        case .failure(let error): return .failure(error)
        case .success(var report):
            if let fact = Self.fact(fleet.keyDelays) { report.settings.append(fact) }
            guard Self.hasFigures(report) else {
                let failures = report.conditions.flatMap(\.links).compactMap(\.failure)
                if let first = failures.first { return .failure(LinkError(.unreachable, first)) }
                guard let reason = report.endingReason else { return .success(nil) }
                return .failure(LinkError(.unsupported, "ended before anything was measured, since \(reason)"))
            }
            guard let result = await DedicatedThread.run({ [report] in LatencyResult(report) }) else {
                return .failure(
                    LinkError(.internalFault, "cannot create a thread for the evaluation", hint: "raise 'ulimit -u'"))
            }
            desk.measured += 1
            let shown = LatencyLabResult(id: desk.measured, result)
            desk.shown = shown
            return .success(shown)
        }
    }

    /// What comes before everything that is measured here, where the user has steered by keys.
    private static func fact(_ keys: KeyDelays) -> LatencyReport.Fact? {
        guard let median = keys.median, let longest = keys.longest else { return nil }
        func text(_ delay: Duration) -> String { "\(delay.inMilliseconds.formatted(decimals: 1)) ms" }
        return LatencyReport.Fact(
            "key to setpoint",
            "median \(text(median)), at most \(text(longest)), of the newest \(min(keys.count, KeyDelays.kept)) keys by "
                + "which this program was steered, from the read of their bytes at the terminal; steering and motion "
                + "count from the setpoint")
    }

    private static func hasFigures(_ report: LatencyReport) -> Bool {
        report.conditions.contains { condition in
            condition.links.contains { link in
                SeriesKind.allCases.contains { link.measured($0).series?.samples.isEmpty == false }
            }
        }
    }

    /// Saves a result in a file format.
    func save(
        _ shown: LatencyLabResult, as kind: LatencyFile, to path: String, replacing: Bool
    ) async throws(FileAccessError) {
        guard let bytes = await DedicatedThread.runAtLowPriority({ kind.bytes(of: shown.result) }) else {
            throw FileAccessError("cannot create a thread for the file; raise 'ulimit -u'")
        }
        try await files.write(bytes, to: path, replacing: replacing)
        desk.lastPath = path
        desk.saved = shown.id
    }
}
