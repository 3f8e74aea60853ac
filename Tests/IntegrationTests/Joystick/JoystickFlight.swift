import FlightControl
import JoystickMode
import ModeKit
import GameController
import IntegrationKit
import UAVLink
import VehicleAccess

/// The joystick's module as the program wires it, over UDP to the simulated vehicle of `uavlink sim` in a process of its
/// own; only the screen is a test's.
@MainActor
final class JoystickFlight {
    /// What the module shows.
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
    private let module: ModeInstance
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
        module = JoystickBuilder(
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

    /// Moves the virtual controller; the module has opened the pipe.
    func pad(_ lines: String...) throws { try Pipe.write(lines.map { $0 + "\n" }.joined(), to: pipe) }

    func take() async throws {
        send(.toggleControl)
        guard await eventually({ view.shown.control.text == "ENGAGED" }) else {
            throw ProcessFailure("control did not engage: \(view.shown.advice)")
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

    /// Leaves the screen; returns when the vehicle has been told.
    func leave() async { await module.detachAndWait() }

    /// A watch on the processes between a hand and the vehicle.
    func watch() -> SchedulingWatch { SchedulingWatch([simulator.pid].compactMap(\.self)) }

    /// Lets the vehicle fly on for half a second by its own times.
    func flyOn() async {
        let link = flight.link
        guard let until = link.latestTelemetry?.newest.map({ $0 + .milliseconds(500) }) else { return }
        _ = await eventually { link.latestTelemetry?.newest.map { $0 > until } ?? false }
    }

    func end() async {
        await module.detachAndWait()
        await fleet.removeAll()
        await simulator.stop()
    }
}
