package import FlightControl
package import FlightRecorder
internal import FlightPlanMode
internal import IndoorMode
internal import JoystickMode
internal import LatencyLabMode
package import LoginMode
internal import MapTrajectoryMode
internal import MenuMode
package import ModeKit
internal import RemoteTerminalMode
internal import RobotMode
internal import RouteFlight
internal import RouteKit
internal import TelemetryMode
internal import VehicleAccess
package import GameController
package import UAVLink

/// The Builder and the screen of each mode: the only place where a new mode is added.
@MainActor
package struct ModeCatalog {
    /// The dependencies of the modes.
    package struct Dependency {
        /// The vehicles.
        package var fleet: Fleet
        /// The process's environment.
        package var environment: [String: String]
        /// The dependencies of the log-in.
        package var login: LoginBuilder.Dependency
        /// The abilities reported by the terminal.
        package var abilities: TerminalAbilities
        /// Opens the game controllers.
        package var makeGamepads: @MainActor () -> any Gamepads
        package var timeSource: any TimeSource
        /// The recordings of the vehicles; `nil` where nothing is recorded.
        package var recordings: Recordings?

        /// The dependencies of the modes.
        package init(
            fleet: Fleet, environment: [String: String], login: LoginBuilder.Dependency, abilities: TerminalAbilities,
            makeGamepads: @escaping @MainActor () -> any Gamepads, timeSource: any TimeSource = SystemTimeSource(),
            recordings: Recordings? = nil
        ) {
            self.fleet = fleet
            self.environment = environment
            self.login = login
            self.abilities = abilities
            self.makeGamepads = makeGamepads
            self.timeSource = timeSource
            self.recordings = recordings
        }
    }

    /// The modes in the menu's order.
    static let modes: [Mode] = [
        .joystick, .telemetry, .terminal, .mapTrajectory, .indoor, .latencyLab, .robot, .flightPlan,
    ]

    private let dependency: Dependency
    /// Keeps the route while other modes are open.
    private let desk: RouteDocument
    private var login: LoginBuilder.Dependency
    /// Keeps the indoor map and its route while other modes are open.
    private let indoor: IndoorDocument
    /// Keeps the shells while other modes are open.
    private let terminals = TerminalSessions()
    /// Keeps the measurements while other modes are open.
    private let laboratory = LatencyLabStore()
    /// Keeps the names of the added topics while other modes are open.
    private let telemetry = TelemetryStore()
    /// Keeps the tasks of robots while other modes are open.
    private let robots = RobotStore()
    /// Keeps the flight plan while other modes are open.
    private let flightPlan = FlightPlanDocument()
    /// Keeps the settings of steering while other modes are open.
    private let joystick = JoystickStore()

    package init(_ dependency: Dependency) {
        self.dependency = dependency
        login = dependency.login
        // A route sent from one screen is known to the other.
        let flights = RouteFlights()
        desk = RouteDocument(flights: flights)
        indoor = IndoorDocument(flights: flights)
        dependency.fleet.onRemoval = {
            [weak terminals, weak desk, weak indoor, weak fleet = dependency.fleet] vehicle in
            guard let fleet else { return }
            terminals?.keep(only: fleet.vehicles)
            desk?.loggedOut(of: vehicle, isLast: fleet.vehicles.isEmpty)
            indoor?.loggedOut(of: vehicle, isLast: fleet.vehicles.isEmpty)
        }
    }

    /// What is lost when the program ends: routes and results that were not saved, and open shells.
    package var losses: [String] {
        var lost: [String] = []
        if desk.hasUnsavedPoints {
            lost.append("the map's route of \(Self.points(desk.editor.points.count)), not saved")
        }
        if indoor.hasUnsavedPoints {
            lost.append("the indoor route of \(Self.points(indoor.editor.points.count)), not saved")
        }
        if flightPlan.hasUnsavedPlan { lost.append("the flight plan made of a route, not written") }
        if laboratory.isMeasuring { lost.append("the measurement in progress") }
        if laboratory.hasUnsavedResult { lost.append("the results of the latency measurement, not saved") }
        lost += dependency.fleet.vehicles.filter { terminals.isInUse(by: $0) }
            .map { "the open shell on \($0.title.sanitizedLine)" }
        return lost
    }

    /// What a log-out of a vehicle ends. Routes are kept: see ``KeptRoute``.
    func losses(of vehicle: LoggedInVehicle) -> [String] {
        var lost: [String] = []
        if terminals.isInUse(by: vehicle) { lost.append("the open shell") }
        if let file = dependency.recordings?.file(of: vehicle.profile.vehicle) {
            lost.append("the recording to \(file.sanitizedLine)")
        }
        return lost
    }

    private static func points(_ count: Int) -> String { count == 1 ? "1 point" : "\(count) points" }

    /// Makes the instance of a mode with its screen.
    package mutating func make(_ mode: Mode, on stage: any Stage) -> ModeInstance {
        // The vehicle of the command line is logged in to once; a user who returns to the log-in wants another one.
        defer { if mode == .login { login.preset?.logsInImmediately = false } }
        let (fleet, timeSource) = (dependency.fleet, dependency.timeSource)
        switch mode {
        case .login:
            return LoginBuilder(login).build(on: stage) { LoginScreen(send: $0.handle) }
        case .menu:
            let catalog = self
            let builder = MenuBuilder(.init(fleet: fleet, modes: Self.modes, losses: { catalog.losses(of: $0) }))
            return builder.build(on: stage) { MenuScreen(send: $0.handle) }
        case .joystick:
            let builder = JoystickBuilder(
                .init(
                    fleet: fleet, store: joystick,
                    keyboardReportsReleases: { [abilities = dependency.abilities] in abilities.reportsKeyReleases },
                    makeGamepads: dependency.makeGamepads, timeSource: timeSource))
            return builder.build(on: stage) { JoystickScreen(send: $0.handle) }
        case .telemetry:
            let builder = TelemetryBuilder(
                .init(
                    fleet: fleet, timeSource: timeSource, desk: telemetry, topicWatch: { $0.topicWatch() },
                    hostLoads: { vehicle in
                        let there = try? await vehicle.connector?.hostLoad(within: .seconds(4))
                        return HostLoads(ground: await HostLoad.here(), vehicle: there ?? nil)
                    }))
            return builder.build(on: stage) { TelemetryScreen(send: $0.handle) }
        case .mapTrajectory:
            if let news = desk.meet(fleet.vehicles) { stage.say(news) }
            let builder = MapTrajectoryBuilder(
                .init(
                    fleet: fleet, desk: desk, files: LocalFiles(home: dependency.environment["HOME"]),
                    timeSource: timeSource))
            return builder.build(on: stage) { MapTrajectoryScreen(send: $0.handle) }
        case .indoor:
            if let news = indoor.meet(fleet.vehicles) { stage.say(news) }
            let builder = IndoorBuilder(
                .init(
                    fleet: fleet, desk: indoor, timeSource: timeSource,
                    files: LocalFiles(home: dependency.environment["HOME"])))
            return builder.build(on: stage) { IndoorScreen(send: $0.handle) }
        case .terminal:
            let builder = TerminalBuilder(
                .init(
                    fleet: fleet, environment: dependency.environment, sessions: terminals, timeSource: timeSource))
            return builder.build(on: stage) { TerminalScreen(send: $0.handle) }
        case .robot:
            let builder = RobotBuilder(
                .init(
                    fleet: fleet, store: robots, files: LocalFiles(home: dependency.environment["HOME"]),
                    keyboardReportsReleases: { [abilities = dependency.abilities] in abilities.reportsKeyReleases },
                    makeGamepads: dependency.makeGamepads, timeSource: timeSource))
            return builder.build(on: stage) { RobotScreen(send: $0.handle) }
        case .flightPlan:
            let builder = FlightPlanBuilder(
                .init(
                    fleet: fleet, document: flightPlan, files: LocalFiles(home: dependency.environment["HOME"]),
                    timeSource: timeSource))
            return builder.build(on: stage) { FlightPlanScreen(send: $0.handle) }
        case .latencyLab:
            let recordings = dependency.recordings
            let builder = LatencyLabBuilder(
                .init(
                    fleet: fleet, desk: laboratory, files: LocalFiles(home: dependency.environment["HOME"]),
                    timeSource: timeSource, makeMeasuring: { LatencyLabBuilder.measuring($0, recordings: recordings) }))
            return builder.build(on: stage) { LatencyLabScreen(send: $0.handle) }
        }
    }
}
