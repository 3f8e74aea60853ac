public import FlightControl
public import LatencyMeasurement
internal import RouteFlight
internal import Threads
internal import UAVLink

/// Measures the selected vehicle's links, and writes what came out.
@MainActor
public final class LatencyLabInteractor {
    /// Makes what measures a vehicle; `nil` for a vehicle whose links cannot be measured.
    public typealias Maker = @MainActor (LoggedInVehicle) -> (any Measuring)?

    let desk: LatencyDesk
    let clock: any MonotonicClock
    private let fleet: Fleet
    private let files: any FileAccess
    private let make: Maker

    init(fleet: Fleet, desk: LatencyDesk, files: any FileAccess, clock: any MonotonicClock, make: @escaping Maker) {
        (self.fleet, self.desk, self.files, self.clock, self.make) = (fleet, desk, files, clock, make)
    }

    /// The vehicle that is measured.
    var vehicle: LoggedInVehicle? { fleet.selected }

    /// What it is doing.
    var flightState: FlightState { vehicle?.link.latestTelemetry?.flight?.value.state ?? .unknown }

    /// What measures the vehicle; `nil` when nothing can.
    var measuring: (any Measuring)? { vehicle.flatMap(make) }

    /// Measures, and works out what came of it, off the main actor.
    ///
    /// - Returns: `nil` when it was ended before anything was measured.
    func measure(
        _ plan: MeasuringPlan, with measuring: any Measuring, tell: @escaping @MainActor (MeasuringEvent) -> Void
    ) async -> Result<LatencyShown?, LinkError> {
        desk.isBusy = true
        defer { desk.isBusy = false }
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
        case .success(let report):
            guard Self.hasFigures(report) else {
                let failures = report.conditions.flatMap(\.links).compactMap(\.failure)
                guard let first = failures.first else { return .success(nil) }
                return .failure(LinkError(.unreachable, first))
            }
            guard let result = await OwnThread.run({ LatencyResult(report) }) else {
                return .failure(LinkError(.internalFault, "this machine has no more threads to give"))
            }
            desk.measured += 1
            let shown = LatencyShown(id: desk.measured, result)
            desk.shown = shown
            return .success(shown)
        }
    }

    private static func hasFigures(_ report: LatencyReport) -> Bool {
        report.conditions.contains { condition in
            condition.links.contains { link in
                SeriesKind.allCases.contains { link.measured($0).series?.samples.isEmpty == false }
            }
        }
    }

    /// Writes what came out; the file's ending says as what.
    func save(
        _ shown: LatencyShown, as kind: LatencyFile, to path: String, replacing: Bool
    ) async throws(FileAccessError) {
        guard let bytes = await OwnThread.runBehindOthers({ kind.bytes(of: shown.result) }) else {
            throw FileAccessError("this machine has no more threads to give")
        }
        try await files.write(bytes, to: path, replacing: replacing)
        desk.lastPath = path
    }
}
