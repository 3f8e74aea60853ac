public import UAVLink
public import VehicleAccess
internal import SSHTransport

/// A piece of what a command wrote.
public struct CommandPiece: Hashable, Sendable {
    /// Whether it was written to standard error.
    public var isError: Bool
    /// The bytes, untrusted.
    public var bytes: [UInt8]

    /// A piece.
    public init(isError: Bool = false, bytes: [UInt8]) {
        self.isError = isError
        self.bytes = bytes
    }
}

/// Runs one command line after the other somewhere: over SSH, on this machine, or in a test.
public protocol CommandRunner: Sendable {
    /// Runs a command line in the login shell and returns when it has ended.
    ///
    /// - Parameters:
    ///   - interrupt: when it finishes, the command is interrupted as by Ctrl-C, and killed three seconds later.
    ///   - onOutput: told each piece of output, in order.
    /// - Throws: ``LinkError``; `cancelled` when the task was cancelled, which ends the command too.
    func run(
        _ line: String, interrupt: AsyncStream<Void>, onOutput: @Sendable (CommandPiece) -> Void
    ) async throws(LinkError) -> ProgramEnding?
}

/// The script that makes a command without a terminal end when its input is closed.
///
/// A server that closes a channel tells the program by its pipes only, and one that neither reads nor writes never
/// notices. So the command runs below a shell that leads a process group, beside a watcher that waits for the end of
/// the input:
///
/// ```
///   sh (leader, survives INT) ─┬─ the person's login shell -c "set-up; line"     stdin: /dev/null
///                              ╰─ watcher: read until the end of the input, then INT, then KILL for the group
/// ```
enum InterruptibleCommand {
    /// In a background list of a shell without job control INT and QUIT are ignored, so that the watcher outlives what it
    /// sends. `read` is built in: the watcher leaves no process behind but the sleep of a command that had to be asked twice. It is
    /// asked twice since a shell that is about to start a program may not hear it the first time.
    static let script = """
        trap : INT; exec 3<&0 </dev/null; \
        { read -r _ <&3; kill -INT 0; sleep 1; kill -INT 0; sleep 2; kill -KILL 0; } >/dev/null 2>&1 & w=$!; \
        "${SHELL:-/bin/sh}" -c "$1" 3<&-; s=$?; kill "$w" 2>/dev/null; exit "$s"
        """

    /// The person's line after the profile's set-up, as the login shell is given it.
    static func line(_ line: String, setup: String) -> String { setup.isEmpty ? line : "\(setup)\n\(line)" }
}

/// Runs commands on the vehicle over SSH.
public struct SSHCommandRunner: CommandRunner {
    private let interactor: RemoteCommandInteractor
    private let setup: String

    /// A runner for the vehicle of a connector; `timeout` is for log-in and start.
    public init(connector: VehicleConnector, timeout: Duration) {
        interactor = RemoteCommandInteractor(connector: connector, timeout: timeout)
        setup = connector.profile.setup
    }

    /// Runs a command line.
    public func run(
        _ line: String, interrupt: AsyncStream<Void>, onOutput: @Sendable (CommandPiece) -> Void
    ) async throws(LinkError) -> ProgramEnding? {
        let (input, continuation) = AsyncStream<[UInt8]>.makeStream()
        let interrupting = Task {
            for await _ in interrupt {}
            continuation.finish()
        }
        defer { interrupting.cancel() }
        let words = [
            "exec", "sh", "-c", InterruptibleCommand.script, "sh", InterruptibleCommand.line(line, setup: setup),
        ]
        let quoted = words.enumerated().map { $0 < 3 ? $1 : "'" + $1.replacing("'", with: "'\\''") + "'" }
        let exit = try await interactor.run(quoted.joined(separator: " "), input: input) { chunk in
            onOutput(CommandPiece(isError: chunk.stream == .error, bytes: chunk.bytes))
        }
        return exit.map { ProgramEnding(status: $0.status, signal: $0.signal) }
    }
}
