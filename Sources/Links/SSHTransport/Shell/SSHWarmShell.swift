internal import MRS
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
    private let channel = Mutex<SSHChannel?>(nil)

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
        try await turns.enter(by: deadline)
        defer { turns.pass() }
        let shell = try await warmShell(by: deadline)
        do throws(LinkError) {
            // eval in a subshell: neither a syntax error nor `exit` affects the shell itself, and with input from /dev/null
            // the command cannot read the shell's script.
            return try await Self.execute(
                "(eval \(RemoteShell.word(commandLine))) </dev/null", shell, deadline, outputLimit)
        } catch {
            close()
            throw error
        }
    }

    /// Ends the shell. Safe to call twice.
    package func close() {
        let old = channel.withLock { $0.take() }
        old?.close()
    }

    private func warmShell(by deadline: Deadline) async throws(LinkError) -> SSHChannel {
        if let shell = channel.withLock({ $0 }) { return shell }
        let shell = try await session.start(RemoteShell.readingLine, by: deadline)
        do throws(LinkError) {
            // Also waits until the shell reads its input, so that a failed start is not reported as a failed command.
            _ = try await Self.execute(RemoteShell.prelude, shell, deadline, SSHSession.largestOutput)
            if !setup.isEmpty { try await prepare(shell, by: deadline) }
        } catch {
            shell.close()
            throw error
        }
        channel.withLock { $0 = shell }
        return shell
    }

    /// Runs the set-up, which ends a POSIX shell when it reads a file that is not there.
    private func prepare(_ shell: SSHChannel, by deadline: Deadline) async throws(LinkError) {
        let hint = "check 'setup' in the vehicle's profile: \(setup)"
        let result: SSHCommandResult
        do throws(LinkError) {
            result = try await Self.execute(
                "eval \(RemoteShell.word(setup)) </dev/null", shell, deadline, SSHSession.largestOutput)
        } catch {
            guard error.code == .remoteFailed else { throw error }
            throw LinkError(.remoteFailed, "the set-up failed on the vehicle: \(error.what)", hint: hint)
        }
        guard result.isSuccess else {
            throw LinkError(
                .remoteFailed, "the set-up failed on the vehicle: \(result.errorText.prefix(300))", hint: hint)
        }
    }

    private static func execute(_ line: String, _ shell: SSHChannel, _ deadline: Deadline, _ limit: Int)
        async throws(LinkError) -> SSHCommandResult
    {
        let marker = EndMarker()
        let script = "\(line); printf '%s %d\\n' \(marker.text) $?; printf '%s\\n' \(marker.text) >&2\n"
        try await shell.write(Array(script.utf8), by: deadline)
        var (output, errors): ([UInt8], [UInt8]) = ([], [])
        var (outputSearched, errorsSearched) = (0, 0)
        var (outputEnd, errorsEnd): (Int?, Int?)
        var status: Int32??
        while status == nil || errorsEnd == nil {
            guard let chunk = try await shell.read(by: deadline) else {
                throw LinkError(.remoteFailed, "the command terminated the persistent shell")
            }
            switch chunk.stream {
            case .output:
                output += chunk.bytes
                outputEnd = outputEnd ?? marker.find(in: output, searched: &outputSearched)
                if let end = outputEnd { status = marker.status(in: output, at: end) }
            case .error:
                errors += chunk.bytes
                errorsEnd = errorsEnd ?? marker.find(in: errors, searched: &errorsSearched)
            }
            guard output.count + errors.count <= limit + 4 * marker.text.utf8.count else {
                throw LinkError(.remoteFailed, "the command wrote more than \(limit) bytes")
            }
        }
        return SSHCommandResult(
            exitStatus: status ?? nil, exitSignal: nil, standardOutput: Array(output[..<(outputEnd ?? 0)]),
            standardError: Array(errors[..<(errorsEnd ?? 0)]))
    }
}
