public import FlightControl
public import ModeKit
internal import TerminalEmulation
public import UAVLink
internal import VehicleAccess

/// Wires the terminal for the selected vehicle.
@MainActor
public struct TerminalBuilder {
    /// What the terminal needs.
    public struct Dependency {
        /// The vehicles; the selected one's shell is opened.
        public var fleet: Fleet
        /// The program's environment: where the history is, and what a shell on this machine gets.
        public var environment: [String: String]
        /// Where the time comes from.
        public var pacemaker: any Pacemaker
        /// Opens shells, instead of what the vehicle has; for tests.
        public var opener: ShellOpener?
        /// Runs commands, instead of what the vehicle has; for tests.
        public var runner: (any CommandRunner)?
        /// Where logs go.
        public var logs = SessionLogFile()
        /// The log.
        public var recorder = SessionRecorder()

        /// What the terminal needs.
        public init(fleet: Fleet, environment: [String: String], pacemaker: any Pacemaker = SystemPacemaker()) {
            self.fleet = fleet
            self.environment = environment
            self.pacemaker = pacemaker
        }
    }

    /// How long log-in and the start of a command may take in the simple form.
    private static let start: Duration = .seconds(15)
    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the terminal on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (TerminalPresenter) -> any TerminalView) -> Module {
        let size = TerminalSize(rows: 18, columns: 80)
        let terminal = ShellTerminal(size)
        let vehicle = dependency.fleet.selected
        let (environment, pacemaker, recorder) = (dependency.environment, dependency.pacemaker, dependency.recorder)
        let tasks = TaskBag()
        let shell = RemoteShellInteractor(
            opener: dependency.opener ?? ShellOpener(vehicle?.connector, environment: environment), terminal: terminal,
            size: size, recorder: recorder, tasks: tasks, pacemaker: pacemaker)
        let simple = SimpleFormInteractor(
            runner: dependency.runner ?? Self.runner(for: vehicle, environment), vehicle: vehicle?.title ?? "local",
            file: HistoryFile(environment: environment), recorder: recorder, tasks: tasks, clock: pacemaker.clock)
        let presenter = TerminalPresenter(
            shell: shell, simple: simple, recorder: recorder, logFile: dependency.logs,
            router: TerminalRouter(stage: stage), tasks: tasks, pacemaker: pacemaker)
        let view = makeView(presenter)
        presenter.view = view
        presenter.begin()
        return Module(.terminal, view: view) { tasks.cancelAll() }
    }

    private static func runner(for vehicle: LoggedInVehicle?, _ environment: [String: String]) -> any CommandRunner {
        if let connector = vehicle?.connector, !connector.profile.isLocal {
            return SSHCommandRunner(connector: connector, timeout: start)
        }
        return LocalCommandRunner(environment: environment, setup: vehicle?.profile.setup ?? "")
    }
}
