import FlightControl
import GameController
import ModeKit
import ModeTestKit
import RobotMode
import Synchronization
import UAVLink
import UAVTestKit
import VehicleAccess

/// A radio that writes down what it is asked.
final class FakeRadio: RobotRadio {
    private let state = Mutex<(known: RobotRadioState, asked: [String])>((RobotRadioState(), []))

    var radioState: RobotRadioState { state.withLock { $0.known } }
    var asked: [String] { state.withLock { $0.asked } }
    func change(_ body: (inout RobotRadioState) -> Void) { state.withLock { body(&$0.known) } }
    private func note(_ what: String) { state.withLock { $0.asked.append(what) } }

    func startScan() {
        note("scan")
        change { $0.isScanning = true }
    }
    func stopScan() {
        note("end")
        change { $0.isScanning = false }
    }
    func choose(_ address: String) throws(LinkError) { note(address) }
    func leave() throws(LinkError) { note("leave") }
}

/// A link to a robot that writes down what it is asked.
final class FakeRobotLink: RobotLink {
    private struct State {
        var asked: [String] = []
        var robot = RobotState()
        var lines: [RobotLogLine] = []
        var failure: LinkError?
    }

    let program: RobotProgram
    /// Its radio, for one without a cable.
    let ether: FakeRadio?
    var radio: (any RobotRadio)? { ether }
    private let state: Mutex<State>

    init(_ program: RobotProgram = RobotProgram(), ether: FakeRadio? = nil) {
        self.program = program
        self.ether = ether
        var first = State()
        first.robot.phase = .ready
        state = Mutex(first)
    }

    /// What it was asked since the last call.
    func takeAsked() -> [String] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    func change(_ body: (inout RobotState) -> Void) { state.withLock { body(&$0.robot) } }
    func fail(_ error: LinkError?) { state.withLock { $0.failure = error } }

    func add(_ kind: RobotLogLine.Kind, _ text: String, at: MonotonicTime) {
        state.withLock { state in
            let number = UInt64(state.lines.count + 1)
            state.lines.append(RobotLogLine(number: number, at: at, kind: kind, bytes: Array(text.utf8)))
        }
    }

    private func note(_ what: String) throws(LinkError) {
        try state.withLock { state throws(LinkError) in
            if let failure = state.failure { throw failure }
            state.asked.append(what)
        }
    }

    var robot: RobotState { state.withLock { $0.robot } }
    func log(after number: UInt64) -> [RobotLogLine] { state.withLock { $0.lines.filter { $0.number > number } } }
    func observeRobot(_ body: @escaping @Sendable () -> Void) -> Observation { Observation {} }
    func hold(_ direction: RobotDirection, speed: Int) throws(LinkError) -> Bool {
        try note("\(direction) \(speed)")
        return true
    }
    func release() { try? note("release") }
    func stop() throws(LinkError) { try note("stop") }
    func send(speed: Int) throws(LinkError) { try note("<\(speed)>") }
    func start(_ task: RobotTask) throws(LinkError) { try note("task \(task.text)") }
    func send(_ bytes: [UInt8]) throws(LinkError) { try note(String(decoding: bytes, as: UTF8.self)) }

    // MARK: UAVLink

    var kind: LinkKind { .direct }
    var capabilities: LinkCapabilities { LinkCapabilities(robot: self) }
    var vehicleCapabilities: VehicleCapabilities {
        var robot = VehicleCapabilities(machine: "fake robot", commands: .hover, steering: nil, telemetry: .messages)
        robot.isDrivenByText = true
        return robot
    }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        CommandReply(accepted: true, message: "")
    }
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        throw LinkError(.unsupported, "not steered")
    }
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation { Observation {} }
    var latestTelemetry: Telemetry? { nil }
    var quality: LinkQuality { LinkQuality(isConnected: true) }
    func close() async {}
}

/// Game controllers that a test moves.
final class FakePads: Gamepads {
    private let held = Mutex((state: GamepadsState.none, isClosed: false))
    var state: GamepadsState { held.withLock { $0.state } }
    var isClosed: Bool { held.withLock { $0.isClosed } }
    func close() { held.withLock { $0.isClosed = true } }
    func set(_ change: (inout Gamepad) -> Void) {
        held.withLock { held in
            var pad = held.state.gamepad ?? Gamepad(number: 1, name: "Pad")
            change(&pad)
            held.state = .plugged(pad)
        }
    }
}

@MainActor
final class FakeRobotView: RobotView {
    var shown = RobotScreenState()
    func show(_ state: RobotScreenState) { shown = state }
}

/// A built mode with a robot on a fake link.
@MainActor
final class RobotModeBench {
    let link: FakeRobotLink
    let fleet: Fleet
    let stage = FakeStage()
    let files = MemoryFiles()
    let pads = FakePads()
    let view = FakeRobotView()
    let store: RobotStore
    let instance: ModeInstance
    let timeSource = FakeTimeSource()
    private var holder: RobotPresenter?
    private(set) weak var presenter: RobotPresenter?

    init(reportsReleases: Bool = true, store: RobotStore = RobotStore(), link: FakeRobotLink = FakeRobotLink()) {
        self.link = link
        self.store = store
        fleet = Fleet(timeSource: timeSource)
        fleet.add(profile: VehicleProfile(name: "local"), link: link)
        let (pads, view) = (pads, view)
        let builder = RobotBuilder(
            .init(
                fleet: fleet, store: store, files: files, keyboardReportsReleases: { reportsReleases },
                makeGamepads: { pads }, timeSource: timeSource))
        var made: RobotPresenter?
        instance = builder.build(on: stage) { presenter in
            made = presenter
            return view
        }
        (holder, presenter) = (made, made)
    }

    func send(_ intents: RobotIntent...) { for intent in intents { presenter?.handle(intent) } }
    func tick() { presenter?.tick() }
    var asked: [String] { link.takeAsked() }

    func end() {
        instance.detach()
        holder = nil
    }
}
