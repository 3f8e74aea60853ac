#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import Secrets
internal import Synchronization
internal import Threads
public import UAVLink

/// Answers requests at a companion's control socket, on a dedicated thread.
public final class ControlServer: Sendable {
    /// Answers one request, or throws the error for the client; with `closed` the connection is closed without an answer.
    public typealias Answer = @Sendable (ControlRequest) throws(LinkError) -> SecretBytes

    private let socket: UnixSocket
    private let path: String
    private let answer: Answer
    private let isStopped = Atomic<Bool>(false)

    /// Listens at `path`, replacing a socket that a dead companion left there.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable``.
    public init(path: String, answer: @escaping Answer) throws(LinkError) {
        socket = try UnixSocket.listen(at: path)
        self.path = path
        self.answer = answer
        // The thread holds the server only while it waits for a connection, so that releasing the server ends it.
        let hasStarted = DedicatedThread.start { [weak self] in
            while self?.serveOne() == true {}
        }
        guard hasStarted else {
            throw LinkError(.companionUnavailable, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
    }

    /// Ends the thread and removes the socket.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        unlink(path)
    }

    deinit { stop() }

    /// How often the thread checks whether it is to end.
    private static let stopPollInterval: Duration = .milliseconds(200)

    /// Waits briefly for a connection and answers it.
    ///
    /// - Returns: whether to continue.
    private func serveOne() -> Bool {
        guard !isStopped.load(ordering: .relaxed) else {
            // Closes connections made before the socket was removed, so that their clients do not wait for an answer.
            while socket.accept(within: .zero) != nil {}
            return false
        }
        if let connection = socket.accept(within: Self.stopPollInterval) { handle(connection) }
        return true
    }

    private func handle(_ connection: UnixSocket) {
        guard case .line(let line) = connection.readLine(limit: ControlLimits.requestBytes) else { return }
        let text = line.unwipedText
        guard let request = ControlRequest(rawValue: text) else {
            connection.writeLine(ControlAnswer.error("unknown request '\(text.sanitizedLine)'").line)
            return
        }
        do {
            connection.writeLine(ControlAnswer.ok(try answer(request)).line)
        } catch  where error.code == .closed {
            return
        } catch {
            connection.writeLine(ControlAnswer.error(error.description).line)
        }
    }
}
