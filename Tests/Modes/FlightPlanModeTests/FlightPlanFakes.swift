import FlightControl
import FlightPlans
import ModeKit
import ModeTestKit
import Synchronization
import Tello
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import FlightPlanMode

/// A link to a drone that answers each step after a second, and stands in the states of a Tello.
final class FakePlanLink: FlightPlanLink, PlanVehicle {
    struct State {
        var sent: [String] = []
        var mode = TelloMode.command
        var plan: UInt64?
        var refusals: [String: String] = [:]
        var battery: Double? = 90
        var telemetry: Telemetry?
        var orderReply = CommandReply(accepted: true, message: "ok")
    }

    let state = Mutex(State())
    let clock: FakeClock
    /// Whether it offers flight plans.
    let fliesPlans: Bool

    init(_ clock: FakeClock, fliesPlans: Bool = true) { (self.clock, self.fliesPlans) = (clock, fliesPlans) }

    var sent: [String] { state.withLock { $0.sent } }
    var mode: TelloMode { state.withLock { $0.mode } }
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    func enter(_ event: TelloMode.Event) { change { if let next = $0.mode.after(event) { $0.mode = next } } }

    // MARK: Plans

    var pilotStates: PilotStates { PilotStates(mode) }
    func editPlan(_ isEdited: Bool) { enter(isEdited ? .planOpened : .planClosed) }
    var version: TelloVersion { .sdk20 }
    var isReadyForStep: Bool { true }
    var batteryPercent: Double? { state.withLock { $0.battery } }

    func beginPlan() throws(LinkError) -> UInt64 {
        enter(.planStarted)
        return state.withLock { state in
            state.plan = 7
            return 7
        }
    }

    func endPlan(_ number: UInt64) {
        change { if $0.plan == number { $0.plan = nil } }
        enter(.planEnded)
    }

    func perform(
        _ command: TelloCommand, ofPlan plan: UInt64?, within timeout: Duration
    ) async throws(LinkError) -> CommandReply {
        let refusal = try state.withLock { state throws(LinkError) in
            guard plan == state.plan else { throw LinkError(.notInCommand, "the flight plan was ended") }
            state.sent.append(command.text)
            return state.refusals[command.text]
        }
        do throws(CancellationError) { try await clock.sleep(for: .seconds(1)) } catch {
            throw LinkError(.cancelled, "cancelled")
        }
        return CommandReply(accepted: refusal == nil, message: refusal ?? "ok")
    }

    // MARK: UAVLink

    var kind: LinkKind { .direct }
    var capabilities: LinkCapabilities { fliesPlans ? LinkCapabilities(plans: self) : LinkCapabilities() }
    var vehicleCapabilities: VehicleCapabilities {
        var drone = VehicleCapabilities(
            machine: "fake drone", commands: [.takeoff, .land, .hover], steering: nil,
            telemetry: [.flight, .battery])
        drone.fliesPlans = fliesPlans
        return drone
    }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        state.withLock { state in
            state.sent.append("! \(command.name)")
            state.plan = nil
            return state.orderReply
        }
    }
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        throw LinkError(.unsupported, "not steered")
    }
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation { Observation {} }
    var latestTelemetry: Telemetry? { state.withLock { $0.telemetry } }

    /// The drone says what it does.
    func tell(_ flight: FlightState) {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: flight, isArmed: flight != .disarmed, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: flight == .flying), at: clock.now)
        change { $0.telemetry = telemetry }
    }

    var quality: LinkQuality { LinkQuality(isConnected: true) }
    func close() async {}
}

@MainActor
final class FakeFlightPlanView: FlightPlanView {
    var shown = FlightPlanScreenState()
    func show(_ state: FlightPlanScreenState) { shown = state }
}

/// A built mode with a drone on a fake link, and files in memory.
@MainActor
final class FlightPlanBench {
    static let square = "takeoff\nforward 100\ncw 90\nforward 100\nland\n"

    let timeSource = FakeTimeSource()
    let link: FakePlanLink
    let fleet: Fleet
    let stage = FakeStage()
    let files: MemoryFiles
    let view = FakeFlightPlanView()
    let document: FlightPlanDocument
    let instance: ModeInstance
    private var holder: FlightPlanPresenter?
    private(set) weak var presenter: FlightPlanPresenter?

    init(
        _ texts: [String: String] = ["square.txt": FlightPlanBench.square], fliesPlans: Bool = true,
        document: FlightPlanDocument = FlightPlanDocument()
    ) {
        link = FakePlanLink(timeSource.fake, fliesPlans: fliesPlans)
        files = MemoryFiles(texts)
        self.document = document
        fleet = Fleet(timeSource: timeSource)
        fleet.add(profile: VehicleProfile(name: "local"), link: link)
        let builder = FlightPlanBuilder(
            .init(fleet: fleet, document: document, files: files, timeSource: timeSource))
        var made: FlightPlanPresenter?
        let view = view
        instance = builder.build(on: stage) { presenter in
            made = presenter
            return view
        }
        (holder, presenter) = (made, made)
    }

    var shown: FlightPlanScreenState { view.shown }
    var lastNotice: String { stage.notices.last?.text ?? "" }

    func send(_ intents: FlightPlanIntent...) { for intent in intents { presenter?.handle(intent) } }

    /// Answers a prompt with a path, and waits until the file was read or written.
    func take(_ prompt: FlightPlanPrompt, _ path: String) async {
        send(.ask(prompt), .answer(path))
        await settle()
        presenter?.look()
    }

    /// Opens a plan.
    func open(_ path: String = "square.txt") async { await take(.open, path) }

    /// Lets time pass, and shows what has come.
    func pass(_ duration: Duration) async {
        await timeSource.fake.run(for: duration)
        presenter?.look()
    }

    func end() async {
        instance.detach()
        holder = nil
        await settle()
    }
}
