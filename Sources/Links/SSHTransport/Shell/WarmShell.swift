internal import MRS
internal import Synchronization
internal import UAVLink

/// What a persistent shell needs of its channel.
protocol ShellStream: Closable {
    /// Queues bytes for the shell; does not wait. Returns whether it still takes any.
    func send(_ bytes: [UInt8]) -> Bool
    /// The next bytes that it has written; `nil` when it has ended.
    func read(by deadline: Deadline) async throws(LinkError) -> SSHChunk?
    /// Whether the shell or its channel has ended.
    var hasEnded: Bool { get }
}

extension SSHChannel: ShellStream {
    func send(_ bytes: [UInt8]) -> Bool { offer(bytes, limit: ChannelLimits.outgoing) == true }
    var hasEnded: Bool { core.state.withLock { $0.ending != nil || $0.wantsClose || $0.wantsEnd } }
}

/// One open shell on the vehicle, with the set-up done, that runs one command at a time: bash if there is one, else sh.
///
/// After an error of ``run(_:in:by:outputLimit:)`` it cannot be used any more and must be closed.
final class WarmShell: Closable {
    /// The set-up that was run in it.
    let setup: String
    private let stream: any ShellStream
    private let begun = Mutex(false)

    /// Opens a shell in a session.
    ///
    /// - Parameter setup: a script that prepares the environment, for example `source /opt/ros/noetic/setup.bash`.
    /// - Throws: ``LinkError``: as ``SSHSession/start(_:within:)``, and as ``open(on:setup:by:)``.
    static func open(in session: SSHSession, setup: String, by deadline: Deadline) async throws(LinkError) -> WarmShell
    {
        try await open(on: session.start(RemoteShell.readingLine, by: deadline), setup: setup, by: deadline)
    }

    /// Runs the set-up in a shell that has been started.
    ///
    /// - Throws: ``LinkError``: `remoteFailed` when the set-up fails or ends the shell; `timedOut`, `cancelled`, `notConnected`.
    static func open(on stream: any ShellStream, setup: String, by deadline: Deadline) async throws(LinkError)
        -> WarmShell
    {
        let shell = WarmShell(stream, setup: setup)
        do throws(LinkError) {
            // Also waits until the shell reads its input, so that a failed start is not reported as a failed command.
            _ = try await shell.run(RemoteShell.prelude, in: .shell, by: deadline)
            if !setup.allSatisfy(\.isWhitespace) {
                try await shell.prepare(by: deadline)
                _ = try await shell.run(WarmShellLines.calm, in: .shell, by: deadline)
            }
        } catch {
            shell.close()
            throw error
        }
        return shell
    }

    private init(_ stream: any ShellStream, setup: String) {
        self.stream = stream
        self.setup = setup
    }

    deinit { stream.close() }

    /// Runs the set-up, which ends a POSIX shell when it reads a file that is not there.
    private func prepare(by deadline: Deadline) async throws(LinkError) {
        let hint = "check 'setup' in the vehicle's profile: \(setup)"
        let result: SSHCommandResult
        do throws(LinkError) {
            result = try await run(setup, in: .shell, by: deadline)
        } catch {
            guard error.code == .remoteFailed else { throw error }
            throw LinkError(.remoteFailed, "the set-up failed on the vehicle: \(error.what)", hint: hint)
        }
        guard result.isSuccess else {
            throw LinkError(
                .remoteFailed, "the set-up failed on the vehicle: \(result.errorText.prefix(300))", hint: hint)
        }
    }

    /// Runs a script and waits for its end.
    ///
    /// - Throws: ``LinkError``: `remoteFailed` when the command ended the shell or wrote more than `outputLimit` bytes;
    ///   `timedOut`, `cancelled`, `closed`, `notConnected`.
    func run(
        _ script: String, in place: WarmShellLines.Place, by deadline: Deadline,
        outputLimit: Int = SSHSession.largestOutput
    ) async throws(LinkError) -> SSHCommandResult {
        begun.withLock { $0 = false }
        var lines = WarmShellLines(running: script, in: place, limit: outputLimit)
        guard stream.send(lines.line) else { throw Self.ended }
        while true {
            guard let chunk = try await stream.read(by: deadline) else { throw Self.ended }
            try lines.take(chunk)
            if lines.hasBegun { begun.withLock { $0 = true } }
            guard let result = lines.result else { continue }
            if case .subshellUntilClosed = place { _ = stream.send(WarmShellLines.release) }
            return result
        }
    }

    /// Whether the shell has begun to run the newest command.
    var hasBegun: Bool { begun.withLock { $0 } }

    /// Whether the shell has ended.
    var hasEnded: Bool { stream.hasEnded }

    /// Ends the shell, and what it runs in ``WarmShellLines/Place/subshellUntilClosed``. Safe to call twice.
    func close() { stream.close() }

    private static let ended = LinkError(.remoteFailed, "the command terminated the persistent shell")
}
