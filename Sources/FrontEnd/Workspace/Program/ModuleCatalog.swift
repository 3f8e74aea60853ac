public import FlightControl
internal import IndoorMode
internal import JoystickMode
internal import LatencyLabMode
public import LoginMode
internal import MapTrajectoryMode
internal import MenuMode
public import ModeKit
internal import RemoteTerminalMode
internal import RouteFlight
internal import TelemetryMode
public import GameController
public import UAVLink

/// Which Builder and which screen stand behind each mode: the one place that a new mode is added to.
@MainActor
public struct ModuleCatalog {
    /// What the modules need from the program.
    public struct Dependency {
        /// The vehicles.
        public var fleet: Fleet
        /// The process's environment.
        public var environment: [String: String]
        /// What the log-in needs.
        public var login: LoginBuilder.Dependency
        /// What the terminal has told of itself.
        public var abilities: TerminalAbilities
        /// Opens the game controllers.
        public var makeGamepads: @MainActor () -> any Gamepads
        /// Where the time comes from.
        public var pacemaker: any Pacemaker

        /// What the modules need from the program.
        public init(
            fleet: Fleet, environment: [String: String], login: LoginBuilder.Dependency, abilities: TerminalAbilities,
            makeGamepads: @escaping @MainActor () -> any Gamepads, pacemaker: any Pacemaker = SystemPacemaker()
        ) {
            self.fleet = fleet
            self.environment = environment
            self.login = login
            self.abilities = abilities
            self.makeGamepads = makeGamepads
            self.pacemaker = pacemaker
        }
    }

    /// The modes that the menu offers, in its order.
    static let modes: [Mode] = [.joystick, .telemetry, .terminal, .mapTrajectory, .indoor, .latencyLab]

    private let dependency: Dependency
    /// The route stays when the map is left.
    private let desk = RouteDesk()
    private var login: LoginBuilder.Dependency
    /// The indoor map and its route stay while other modes are open.
    private let indoor = IndoorDesk()
    /// What was measured stays, too.
    private let laboratory = LatencyDesk()

    /// A catalogue.
    public init(_ dependency: Dependency) {
        self.dependency = dependency
        login = dependency.login
    }

    /// Makes the module of a mode with its screen.
    public mutating func make(_ mode: Mode, on stage: any Stage) -> Module {
        // What the command line named is logged in to once; who comes back to the log-in wants another vehicle.
        defer { if mode == .login { login.preset?.startsAtOnce = false } }
        let (fleet, pacemaker) = (dependency.fleet, dependency.pacemaker)
        switch mode {
        case .login:
            return LoginBuilder(login).build(on: stage) { presenter in LoginScreen { presenter.handle($0) } }
        case .menu:
            return MenuBuilder(.init(fleet: fleet, modes: Self.modes, pacemaker: pacemaker)).build(on: stage) {
                presenter in
                MenuScreen { presenter.handle($0) }
            }
        case .joystick:
            let builder = JoystickBuilder(
                .init(
                    fleet: fleet,
                    keyboardTellsReleases: { [abilities = dependency.abilities] in abilities.tellsKeyReleases },
                    makeGamepads: dependency.makeGamepads, pacemaker: pacemaker))
            return builder.build(on: stage) { presenter in JoystickScreen { presenter.handle($0) } }
        case .telemetry:
            let builder = TelemetryBuilder(.init(fleet: fleet, pacemaker: pacemaker, topicWatch: { $0.topicWatch() }))
            return builder.build(on: stage) { presenter in TelemetryScreen { presenter.handle($0) } }
        case .mapTrajectory:
            let builder = MapTrajectoryBuilder(
                .init(
                    fleet: fleet, desk: desk, files: LocalFiles(home: dependency.environment["HOME"]),
                    pacemaker: pacemaker))
            return builder.build(on: stage) { presenter in MapTrajectoryScreen { presenter.handle($0) } }
        case .indoor:
            let builder = IndoorBuilder(.init(fleet: fleet, desk: indoor, pacemaker: pacemaker))
            return builder.build(on: stage) { presenter in IndoorScreen { presenter.handle($0) } }
        case .terminal:
            let builder = TerminalBuilder(
                .init(fleet: fleet, environment: dependency.environment, pacemaker: pacemaker))
            return builder.build(on: stage) { presenter in TerminalScreen { presenter.handle($0) } }
        case .latencyLab:
            let builder = LatencyLabBuilder(
                .init(
                    fleet: fleet, desk: laboratory, files: LocalFiles(home: dependency.environment["HOME"]),
                    pacemaker: pacemaker))
            return builder.build(on: stage) { presenter in LatencyLabScreen { presenter.handle($0) } }
        }
    }
}
