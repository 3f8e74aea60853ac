package import FlightControl
package import ModeKit
internal import TerminalEmulation
package import UAVLink
internal import VehicleAccess

/// Assembles the terminal for the selected vehicle.
@MainActor
package struct TerminalBuilder {
    /// The dependencies of the terminal.
    @MainActor
    package struct Dependency {
        /// The vehicles; the shell is opened on the selected one.
        package var fleet: Fleet
        /// The program's environment: locates the history, and is passed to a shell on this machine.
        package var environment: [String: String]
        package var timeSource: any TimeSource
        /// Opens shells instead of the vehicle's own opener; for tests.
        package var opener: ShellOpener?
        /// Runs commands instead of the vehicle's own runner; for tests.
        package var runner: (any CommandRunner)?
        /// Saves logs.
        package var logs = SessionLogFile()
        /// The shells that are open already.
        package var sessions: TerminalSessions
        /// Begins a session log.
        package var makeRecorder: @MainActor () -> SessionRecorder = { SessionRecorder() }

        package init(
            fleet: Fleet, environment: [String: String], sessions: TerminalSessions = TerminalSessions(),
            timeSource: any TimeSource = SystemTimeSource()
        ) {
            self.fleet = fleet
            self.sessions = sessions
            self.environment = environment
            self.timeSource = timeSource
        }
    }

    /// Timeout of login and start of a command in the simple form.
    private static let start: Duration = .seconds(15)
    /// Output is shown at 30 frames a second at most.
    private static let frame: Duration = .milliseconds(33)
    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Assembles the terminal on a stage; `makeView` creates the view for its presenter.
    package func build(on stage: any Stage, view makeView: (TerminalPresenter) -> any TerminalView) -> ModeInstance {
        let vehicle = dependency.fleet.selected
        let session = dependency.sessions.session(of: vehicle) { begin(with: vehicle) }
        // Those of the screen; the shell outlives it.
        let tasks = TaskBag()
        let presenter = TerminalPresenter(
            shell: session.shell, simple: session.simple, recorder: session.recorder, logFile: dependency.logs,
            router: ModeRouter(stage: stage), tasks: tasks)
        let view = makeView(presenter)
        presenter.view = view
        let updates = dependency.fleet.updates.observe(.requests, atMostEvery: Self.frame) { [weak presenter] in
            presenter?.refresh()
        }
        presenter.begin { [weak updates] in updates?.request() }
        let sessions = dependency.sessions
        return ModeInstance(.terminal, view: view, updates: updates) {
            // The screen keeps them; afterwards any other owner does.
            _ = sessions
            tasks.cancelAll()
        }
    }

    private func begin(with vehicle: LoggedInVehicle?) -> TerminalSessions.Session {
        let size = TerminalSize(rows: 18, columns: 80)
        let (environment, timeSource, recorder) = (
            dependency.environment, dependency.timeSource, dependency.makeRecorder()
        )
        let tasks = TaskBag()
        let shell = RemoteShellInteractor(
            opener: dependency.opener ?? ShellOpener(vehicle?.connector, environment: environment),
            terminal: ShellTerminal(size), size: size, recorder: recorder, tasks: tasks, timeSource: timeSource)
        let simple = SimpleFormInteractor(
            runner: dependency.runner ?? Self.runner(for: vehicle, environment), vehicle: vehicle?.title ?? "local",
            file: HistoryFile(environment: environment), recorder: recorder, tasks: tasks, clock: timeSource.clock)
        return .init(shell: shell, simple: simple, recorder: recorder, tasks: tasks)
    }

    private static func runner(for vehicle: LoggedInVehicle?, _ environment: [String: String]) -> any CommandRunner {
        if let connector = vehicle?.connector, !connector.profile.isLocal {
            return SSHCommandRunner(connector: connector, timeout: start)
        }
        return LocalCommandRunner(environment: environment, setup: vehicle?.profile.setup ?? "")
    }
}
