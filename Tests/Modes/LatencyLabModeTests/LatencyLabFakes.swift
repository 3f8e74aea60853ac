import FlightControl
import LatencyLabMode
import LatencyMeasurement
import LatencyTestKit
import ModeKit
import ModeTestKit
import Synchronization
import UAVLink
import UAVTestKit
import VehicleAccess

/// A measurement that a test leads: it goes on until the test ends it, or it is cancelled.
final class FakeMeasuring: Measuring, Sendable {
    private struct State {
        var plans: [MeasuringPlan] = []
        var tell: (@Sendable (MeasuringEvent) -> Void)?
        var waiting: CheckedContinuation<Result<LatencyReport, LinkError>, Never>?
        var early: Result<LatencyReport, LinkError>?
        var cancellations = 0
        var measured: LatencyReport
    }

    private let state: Mutex<State>

    /// - Parameter measured: what a measurement that is cancelled has come to.
    init(measured: LatencyReport) { state = Mutex(State(measured: measured)) }

    var plans: [MeasuringPlan] { state.withLock { $0.plans } }
    var cancellations: Int { state.withLock { $0.cancellations } }

    func tell(_ events: MeasuringEvent...) {
        let tell = state.withLock { $0.tell }
        for event in events { tell?(event) }
    }

    func end(_ outcome: Result<LatencyReport, LinkError>) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.early = outcome }
            return state.waiting
        }
        waiting?.resume(returning: outcome)
    }

    func run(
        _ plan: MeasuringPlan, tell: @escaping @Sendable (MeasuringEvent) -> Void
    ) async throws(LinkError) -> LatencyReport {
        state.withLock { state in
            state.plans.append(plan)
            state.tell = tell
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state in
                    if state.early == nil { state.waiting = continuation }
                    defer { state.early = nil }
                    return state.early
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            state.withLock { $0.cancellations += 1 }
            end(.success(state.withLock { $0.measured }))
        }
        return try outcome.get()
    }
}

/// The laboratory's screen as a test sees it.
@MainActor
final class FakeLatencyLabView: LatencyLabView {
    var state = LatencyLabScreenState()
    /// A view holds its presenter, and nothing else does.
    var presenter: LatencyLabPresenter?
    func show(_ state: LatencyLabScreenState) { self.state = state }
}

/// The mode with a fake screen, a fake vehicle and a fake measurement.
@MainActor
final class LatencyLabBench {
    let stage = FakeStage()
    let timeSource = FakeTimeSource()
    let link = FakeLink(kind: .udp)
    let desk = LatencyLabStore()
    let files = MemoryFiles()
    let measuring: FakeMeasuring
    let fleet: Fleet
    let view = FakeLatencyLabView()
    let instance: ModeInstance

    init(host: String? = "vehicle.example", canMeasure: Bool = true) {
        let measuring = FakeMeasuring(measured: LatencyExamples.report(LatencyExamples.twoLinks))
        self.measuring = measuring
        var profile = VehicleProfile(name: host ?? "local")
        profile.host = host
        let fleet = Fleet(timeSource: timeSource)
        self.fleet = fleet
        fleet.add(profile: profile, link: link)
        let builder = LatencyLabBuilder(
            .init(fleet: fleet, desk: desk, files: files, timeSource: timeSource) { _ in canMeasure ? measuring : nil })
        instance = builder.build(on: stage) { [view] presenter in
            view.presenter = presenter
            return view
        }
    }

    var state: LatencyLabScreenState { view.state }

    func send(_ intents: LatencyLabIntent...) { for intent in intents { view.presenter?.handle(intent) } }

    /// Puts the mark on a line.
    func go(to title: String) {
        send(.move(-100))
        if let index = state.setup.lines.firstIndex(where: { $0.title == title }) { send(.move(index)) }
    }

    /// What the vehicle is doing from now on.
    func vehicle(_ flight: FlightState, isByRadio: Bool = false, pilot: ControlStatus.Pilot? = nil) {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: flight, isArmed: flight != .disarmed, isOffboard: !isByRadio, isOutputEnabled: true,
                isFlyingNormally: flight == .flying),
            at: timeSource.clock.now)
        if isByRadio { telemetry.heightAboveGroundMetres = Sample(4, at: timeSource.clock.now) }
        if let pilot { telemetry.control = Sample(ControlStatus(pilot: pilot), at: timeSource.clock.now) }
        link.publish(telemetry)
    }
}
