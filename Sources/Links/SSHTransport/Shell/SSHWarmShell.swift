internal import Synchronization
package import UAVLink

/// A persistent shell on the vehicle that runs command lines one after the other without a new login shell each: bash if there is one,
/// else sh.
///
/// Starting the login shell is most of the cost of a command over SSH. Here it is paid once, together with `setup`. Each
/// command line runs in its own subshell and cannot change the environment of the next one. A command that exceeds its
/// timeout or breaks the shell ends it; the next command starts a new one.
package final class SSHWarmShell: Sendable {
    private let session: SSHSession
    private let setup: String
    private let turns = TurnQueue()
    private let shell = Mutex<WarmShell?>(nil)

    /// Creates a warm shell in a session; the first command starts it.
    ///
    /// - Parameter setup: a command line that prepares the environment, for example `source /opt/ros/noetic/setup.bash`.
    package init(_ session: SSHSession, setup: String = "") {
        self.session = session
        self.setup = setup
    }

    deinit { close() }

    /// Runs a command line and waits for its end.
    ///
    /// - Throws: ``LinkError``: `timedOut`, `cancelled` (both restart the shell), `notConnected`, `remoteFailed` when the
    ///   command ended the shell or wrote more than `outputLimit` bytes, `invalidInput`.
    package func run(
        _ commandLine: String, within timeout: Duration, outputLimit: Int = SSHSession.largestOutput
    ) async throws(LinkError) -> SSHCommandResult {
        guard !commandLine.utf8.contains(0) else {
            throw LinkError(.invalidInput, "the command line contains a NUL character")
        }
        let deadline = Deadline(in: timeout)
        try await turns.enter(by: deadline.instant)
        defer { turns.pass() }
        let shell = try await openShell(by: deadline)
        do throws(LinkError) {
            // With input from /dev/null the command cannot read the shell's script.
            return try await shell.run(commandLine, in: .subshell, by: deadline, outputLimit: outputLimit)
        } catch {
            close()
            throw error
        }
    }

    /// Ends the shell. Safe to call twice.
    package func close() {
        let old = shell.withLock { $0.take() }
        old?.close()
    }

    private func openShell(by deadline: Deadline) async throws(LinkError) -> WarmShell {
        if let shell = shell.withLock({ $0 }) { return shell }
        let opened = try await WarmShell.open(in: session, setup: setup, by: deadline)
        shell.withLock { $0 = opened }
        return opened
    }
}
