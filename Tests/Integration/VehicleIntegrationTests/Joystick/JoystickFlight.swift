import FlightControl
import FlightTestKit
import JoystickMode
import ModeKit
import GameController
import IntegrationKit
import UAVLink
import VehicleAccess

/// The joystick's mode as the program wires it, over UDP to the simulated vehicle of `uavlink sim` in a process of its
/// own; only the screen is a test's.
@MainActor
final class JoystickFlight {
    /// What the mode shows.
    final class View: JoystickView {
        var shown = JoystickScreenState()
        func show(_ state: JoystickScreenState) { shown = state }
    }

    private final class Silence: Stage {
        func open(_ mode: Mode) {}
        func goBack() {}
        func quit() {}
        func say(_ notice: Notice) {}
    }

    let view = View()
    let flight: Flight
    /// The pipe that moves the virtual game controller.
    let pipe: String
    private let folder: TemporaryFolder
    private let simulator: ChildProcess
    private let fleet = Fleet()
    private let instance: ModeInstance
    private let presenter: JoystickPresenter
    private let stage = Silence()

    init(source: JoystickSettings.Source, reportsReleases: Bool = true) async throws {
        folder = try TemporaryFolder()
        let environment = ["UAVLINK_RUNTIME_DIR": folder.path + "/run", "HOME": folder.path, "PATH": "/usr/bin:/bin"]
        simulator = try ChildProcess([try BuiltPrograms.path("uavlink"), "sim"], environment: environment)
        let connector = VehicleConnector(
            profile: VehicleProfile(name: "local"), credentials: Credentials(), environment: environment)
        var link: (any UAVLink)?
        _ = await eventually {
            link = try? await connector.connect(.only(.udp), within: .patient(seconds: 5))
            return link != nil
        }
        guard let link else { throw ProcessFailure("no link to uavlink sim: \(simulator.errors)") }
        flight = Flight(link)
        try await flight.takeOff()
        fleet.add(profile: connector.profile, link: link, connector: connector)
        var settings = JoystickSettings()
        settings.source = source
        let pipe = folder.path + "/pad"
        self.pipe = pipe
        var made: JoystickPresenter?
        let view = view
        instance = JoystickBuilder(
            .init(
                fleet: fleet, settings: settings, keyboardReportsReleases: { reportsReleases },
                makeGamepads: { SDLGamepads(.init(virtualController: pipe)) })
        ).build(on: stage) { presenter in
            made = presenter
            return view
        }
        guard let made else { throw ProcessFailure("the builder made no presenter") }
        presenter = made
    }

    func send(_ intents: JoystickIntent...) { for intent in intents { presenter.handle(intent) } }

    /// Moves the virtual controller; the mode has opened the pipe.
    func pad(_ lines: String...) throws { try Pipe.write(lines.map { $0 + "\n" }.joined(), to: pipe) }

    /// Takes control; returns when the vehicle's end says that it is steered. Until then setpoints are neutral, and a step that is
    /// pressed would be lost.
    func take() async throws {
        guard await eventually({ view.shown.control.text == "RELEASED" }) else {
            throw ProcessFailure("control is not to be taken: \(view.shown.control.text)")
        }
        let asked = SystemMonotonicClock().now
        send(.toggleControl)
        guard await eventually({ view.shown.control.text == "ENGAGED" && isSteering(since: asked) }) else {
            throw ProcessFailure("control did not engage: \(view.shown.advice)")
        }
    }

    private func isSteering(since asked: MonotonicTime) -> Bool {
        guard let control = flight.link.latestTelemetry?.control else { return false }
        return control.value.isYours && control.value.isSteering && control.at > asked
    }

    /// Of a lease of 200 ms a process that was kept waiting has most of the half.
    static let starvedNanoseconds: Int64 = 90_000_000

    /// Pushes until the vehicle is as wanted.
    ///
    /// Only a machine that kept a process waiting may end steering (the lease), or have pushed sticks not count before they were
    /// centred: then this lets go, takes control where it is lost, and pushes again.
    ///
    /// - Parameter since: when the machine's waits begin to count.
    func fly(
        _ watch: SchedulingWatch, since: Int64, push: () throws -> Void, letGo: () throws -> Void,
        until isThere: (Telemetry) -> Bool
    ) async throws {
        for _ in 0..<10 {
            try push()
            if try await isFlown(until: isThere) { return }
            watch.settle()
            let account = watch.account(from: since, to: SchedulingWatch.now)
            guard watch.longestWait(from: since, to: SchedulingWatch.now) > Self.starvedNanoseconds else {
                let why = view.shown.lastStop?.text ?? view.shown.advice
                throw ProcessFailure("steering has ended by itself: \(why); \(account)")
            }
            print("joystick: steering was interrupted on this machine, and is begun again; \(account)")
            try letGo()
            try await rest()
            if view.shown.control.text != "ENGAGED" { try await take() }
        }
        throw ProcessFailure("steering was interrupted each time: \(simulator.errors)")
    }

    /// Whether the vehicle comes to be as wanted; not once steering has ended, or the vehicle has stood for three seconds of its
    /// own times.
    private func isFlown(until isThere: (Telemetry) -> Bool) async throws -> Bool {
        var patience = Patience(.seconds(60))
        var standing: MonotonicTime?
        while true {
            if let telemetry = flight.link.latestTelemetry {
                if isThere(telemetry) { return true }
                if let velocity = telemetry.velocityMetresPerSecond, velocity.value.length < 0.1 {
                    let begun = standing ?? velocity.at
                    standing = begun
                    if velocity.at > begun + .seconds(3) { return false }
                } else {
                    standing = nil
                }
            }
            if view.shown.control.text != "ENGAGED" { return false }
            guard !patience.isOver() else {
                throw ProcessFailure("not within \(patience.whole): \(flight.link.latestTelemetry as Any)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    var position: Vector3 { flight.link.latestTelemetry?.pose?.value.positionMetres ?? .zero }
    var heading: Double { flight.link.latestTelemetry?.pose?.value.headingRadians ?? 0 }
    var speed: Double { flight.link.latestTelemetry?.velocityMetresPerSecond?.value.length ?? 0 }

    /// Waits until the vehicle stands: slower than 0.1 m/s for 300 ms of its own times. Where it brakes and comes back it is as slow
    /// for an instant.
    func rest() async throws {
        var since: MonotonicTime?
        try await flight.wait("at rest") { telemetry in
            guard let velocity = telemetry.velocityMetresPerSecond, velocity.value.length < 0.1 else {
                since = nil
                return false
            }
            let begun = since ?? velocity.at
            since = begun
            return velocity.at >= begun + .milliseconds(300)
        }
    }

    /// How often the vehicle's end was given command back, at which it brakes.
    var releases: Int {
        simulator.errors.split(separator: "\n").count {
            $0.contains("releases control authority: ") && $0.hasSuffix(": control authority released")
        }
    }

    /// Leaves the screen; returns when the vehicle has got the stop.
    func leave() async { await instance.detachAndWait() }

    /// A watch on the processes between a hand and the vehicle.
    func watch() -> SchedulingWatch { SchedulingWatch([simulator.pid].compactMap(\.self)) }

    /// Lets the vehicle fly on for half a second by its own times.
    func flyOn() async {
        let link = flight.link
        guard let until = link.latestTelemetry?.newest.map({ $0 + .milliseconds(500) }) else { return }
        _ = await eventually { link.latestTelemetry?.newest.map { $0 > until } ?? false }
    }

    func end() async {
        await instance.detachAndWait()
        await fleet.removeAll()
        await simulator.stop()
    }
}
