import FlightControl
import JoystickMode
import ModeKit
import ModeTestKit
import GameController
import Synchronization
import UAVLink
import UAVTestKit
import VehicleAccess

/// The joystick's screen as a test sees it.
@MainActor
final class FakeJoystickView: JoystickView {
    var shown = JoystickScreenState()
    func show(_ state: JoystickScreenState) { shown = state }
}

/// Game controllers that a test moves.
final class FakeGamepads: Gamepads {
    private let held: Mutex<(state: GamepadsState, isClosed: Bool)>

    init(_ state: GamepadsState = .none) { held = Mutex((state, false)) }

    var state: GamepadsState { held.withLock { $0.state } }
    var isClosed: Bool { held.withLock { $0.isClosed } }
    func close() { held.withLock { $0.isClosed = true } }

    func set(_ state: GamepadsState) { held.withLock { $0.state = state } }

    func change(_ change: (inout Gamepad) -> Void) {
        held.withLock { held in
            guard case .plugged(var gamepad) = held.state else { return }
            change(&gamepad)
            held.state = .plugged(gamepad)
        }
    }

    func press(_ button: GamepadButton) { change { $0.presses[button, default: 0] += 1 } }
}

/// A built joystick with a flying vehicle on a fake link. Its time is a test's, which ``wait(_:)`` lets pass; the pump's
/// thread is a real one that blocks until that time has come.
@MainActor
final class JoystickBench {
    let link: FakeLink
    let fleet: Fleet
    let stage = FakeStage()
    let gamepads = FakeGamepads()
    let view = FakeJoystickView()
    let instance: ModeInstance
    let timeSource = FakeTimeSource()
    private(set) weak var presenter: JoystickPresenter?

    static let forward = StickKey("w", .forward)

    init(
        flying: Bool = true, held: Bool = true, source: JoystickSettings.Source = .keyboard, kind: LinkKind = .sim,
        store: JoystickStore = JoystickStore()
    ) async throws {
        fleet = Fleet(timeSource: timeSource)
        link = FakeLink(flying ? .flying : FakeVehicle(), kind: kind, clock: timeSource.fake, speed: 20)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "local"), link: link)
        var settings = JoystickSettings()
        settings.source = source
        let gamepads = gamepads
        if source == .controller { gamepads.set(.plugged(Gamepad(number: 1, name: "Pad"))) }
        let builder = JoystickBuilder(
            .init(
                fleet: fleet, settings: settings, store: store, keyboardReportsReleases: { held },
                makeGamepads: { gamepads },
                timeSource: timeSource))
        var made: JoystickPresenter?
        let view = view
        instance = builder.build(on: stage) { presenter in
            made = presenter
            return view
        }
        presenter = made
        holder = made
    }

    /// Holds the presenter as the screen's closure does.
    private var holder: JoystickPresenter?

    func send(_ intents: JoystickIntent...) { for intent in intents { presenter?.handle(intent) } }

    var state: String { view.shown.control.text }
    var hovers: Int { link.commands.filter { $0 == .hover }.count }

    /// Lets time pass until something is so, a minute of it at most.
    func wait(_ isSo: () -> Bool) async -> Bool { await timeSource.fake.run(until: isSo) }

    /// Waits for a word of control.
    func wait(for word: String) async -> Bool { await wait { state == word } }

    /// Takes control and waits until the vehicle is commanded to move forward.
    func flyForward() async -> Bool {
        send(.toggleControl, .press(Self.forward))
        return await wait { moves }
    }

    /// Whether the newest setpoint asks for motion.
    var moves: Bool { link.setpoints.last.map { !$0.isNeutral } ?? false }

    func end() async {
        instance.detach()
        holder = nil
        await link.close()
    }
}
