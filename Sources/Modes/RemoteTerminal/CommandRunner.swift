internal import MRS
package import UAVLink
package import VehicleAccess
internal import SSHTransport

/// A chunk of a command's output.
package struct CommandChunk: Hashable, Sendable {
    /// Whether it was written to standard error.
    package var isError: Bool
    /// The bytes, untrusted.
    package var bytes: [UInt8]

    package init(isError: Bool = false, bytes: [UInt8]) {
        self.isError = isError
        self.bytes = bytes
    }
}

/// Runs command lines one after another: over SSH, on this machine, or in a test.
package protocol CommandRunner: Sendable {
    /// Runs a command line in the login shell and returns when it has ended.
    ///
    /// - Parameters:
    ///   - interrupt: when it finishes, the command is interrupted as by Ctrl-C, and killed three seconds later.
    /// - onOutput: called with each chunk of output, in order.
    /// - Throws: ``LinkError``; `cancelled` if the task was cancelled, which also ends the command.
    func run(
        _ line: String, interrupt: AsyncStream<Void>, onOutput: @Sendable (CommandChunk) -> Void
    ) async throws(LinkError) -> ProgramEnding?
}

/// The script that ends a command without a terminal when its input is closed.
///
/// A server that closes a channel only closes the program's pipes, which a program that neither reads nor writes does
/// not notice. So the command runs below a shell that leads a process group, next to a watcher that waits for the end
/// of the input:
///
/// ```
/// bash or sh (leader, survives INT) ─┬─ the set-up, then as the same process the user's login shell -c line   stdin: /dev/null
///                                    ╰─ watcher: read until the end of the input, then INT, then KILL for the group
/// ```
///
/// A set-up is written for bash. A login shell that is bash reads it itself; for another one its variables are exported.
enum InterruptibleCommand {
    /// A shell without job control ignores INT and QUIT in background lists, so the watcher survives its own signals.
    /// `read` is built in: the watcher leaves no process behind except the sleep of a command that needed a second INT.
    /// INT is sent twice, since a shell that is about to start a program may miss the first.
    private static let script = """
        trap : INT; exec 3<&0 </dev/null
        { read -r _ <&3; kill -INT 0; sleep 1; kill -INT 0; sleep 2; kill -KILL 0; } >/dev/null 2>&1 & w=$!
        (
          case ${SHELL##*/} in bash) exec "$SHELL" -c "$1
        $2" ;; esac
          set -a
          eval "$1"
          set +a
          exec "${SHELL:-/bin/sh}" -c "$2"
        ) 3<&-
        s=$?; kill "$w" 2>/dev/null; exit "$s"
        """

    /// The command line for any shell that runs the user's line after the set-up.
    ///
    /// - Throws: ``LinkError`` with `invalidInput` for a line with a NUL character.
    static func line(_ line: String, setup: String) throws(LinkError) -> String {
        guard !line.utf8.contains(0) else {
            throw LinkError(.invalidInput, "a command line cannot contain a NUL character")
        }
        return RemoteShell.line(running: "set -- \(RemoteShell.word(setup)) \(RemoteShell.word(line))\n\(script)")
    }
}

/// Runs commands on the vehicle over SSH.
package struct SSHCommandRunner: CommandRunner {
    private let connector: VehicleConnector
    private let timeout: Duration

    /// Creates a runner for a connector's vehicle; `timeout` covers login and start.
    package init(connector: VehicleConnector, timeout: Duration) {
        self.connector = connector
        self.timeout = timeout
    }

    /// Runs a command line.
    package func run(
        _ line: String, interrupt: AsyncStream<Void>, onOutput: @Sendable (CommandChunk) -> Void
    ) async throws(LinkError) -> ProgramEnding? {
        let (input, continuation) = AsyncStream<[UInt8]>.makeStream()
        let interrupting = Task {
            for await _ in interrupt {}
            continuation.finish()
        }
        defer { interrupting.cancel() }
        let setup = try await connector.rosEnvironment(within: timeout).setup
        let interactor = RemoteCommandInteractor(connector: connector, timeout: timeout)
        let commandLine = try InterruptibleCommand.line(line, setup: setup)
        let exit = try await interactor.run(commandLine, input: input) { chunk in
            onOutput(CommandChunk(isError: chunk.stream == .error, bytes: chunk.bytes))
        }
        return exit.map { ProgramEnding(status: $0.status, signal: $0.signal) }
    }
}
