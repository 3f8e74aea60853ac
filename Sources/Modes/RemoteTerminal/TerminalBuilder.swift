public import FlightControl
public import ModeKit
internal import TerminalEmulation
public import UAVLink
internal import VehicleAccess

/// Assembles the terminal for the selected vehicle.
@MainActor
public struct TerminalBuilder {
    /// The dependencies of the terminal.
    public struct Dependency {
        /// The vehicles; the shell is opened on the selected one.
        public var fleet: Fleet
        /// The program's environment: locates the history, and is passed to a shell on this machine.
        public var environment: [String: String]
        /// The source of time.
        public var timeSource: any TimeSource
        /// Opens shells instead of the vehicle's own opener; for tests.
        public var opener: ShellOpener?
        /// Runs commands instead of the vehicle's own runner; for tests.
        public var runner: (any CommandRunner)?
        /// Saves logs.
        public var logs = SessionLogFile()
        /// The session log.
        public var recorder = SessionRecorder()

        /// Creates the dependencies.
        public init(fleet: Fleet, environment: [String: String], timeSource: any TimeSource = SystemTimeSource()) {
            self.fleet = fleet
            self.environment = environment
            self.timeSource = timeSource
        }
    }

    /// Timeout of login and start of a command in the simple form.
    private static let start: Duration = .seconds(15)
    /// Output is shown at 30 frames a second at most.
    private static let frame: Duration = .milliseconds(33)
    private let dependency: Dependency

    /// Creates a builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Assembles the terminal on a stage; `makeView` creates the view for its presenter.
    public func build(on stage: any Stage, view makeView: (TerminalPresenter) -> any TerminalView) -> ModeInstance {
        let size = TerminalSize(rows: 18, columns: 80)
        let terminal = ShellTerminal(size)
        let vehicle = dependency.fleet.selected
        let (environment, timeSource, recorder) = (dependency.environment, dependency.timeSource, dependency.recorder)
        let tasks = TaskBag()
        let shell = RemoteShellInteractor(
            opener: dependency.opener ?? ShellOpener(vehicle?.connector, environment: environment), terminal: terminal,
            size: size, recorder: recorder, tasks: tasks, timeSource: timeSource)
        let simple = SimpleFormInteractor(
            runner: dependency.runner ?? Self.runner(for: vehicle, environment), vehicle: vehicle?.title ?? "local",
            file: HistoryFile(environment: environment), recorder: recorder, tasks: tasks, clock: timeSource.clock)
        let presenter = TerminalPresenter(
            shell: shell, simple: simple, recorder: recorder, logFile: dependency.logs,
            router: ModeRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        let updates = dependency.fleet.updates.observe(.requests, atMostEvery: Self.frame) { [weak presenter] in
            presenter?.refresh()
        }
        presenter.begin { [weak updates] in updates?.request() }
        return ModeInstance(.terminal, view: view, updates: updates) { tasks.cancelAll() }
    }

    private static func runner(for vehicle: LoggedInVehicle?, _ environment: [String: String]) -> any CommandRunner {
        if let connector = vehicle?.connector, !connector.profile.isLocal {
            return SSHCommandRunner(connector: connector, timeout: start)
        }
        return LocalCommandRunner(environment: environment, setup: vehicle?.profile.setup ?? "")
    }
}
