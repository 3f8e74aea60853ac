internal import Synchronization
internal import Threads
package import UAVLink

/// A persistent SSH session with one vehicle: every command, shell, file and tunnel is a channel in it.
///
/// libssh2 runs non-blocking on one dedicated thread; callers wait asynchronously. When the connection is lost,
/// everything pending fails at once and the session stays unusable: make a new one.
package final class SSHSession: Sendable {
    /// The host, port and user.
    package let endpoint: SSHEndpoint
    private let mailbox: SessionMailbox

    private init(_ endpoint: SSHEndpoint, _ mailbox: SessionMailbox) {
        self.endpoint = endpoint
        self.mailbox = mailbox
    }

    deinit { mailbox.stop(Self.closed) }

    /// Connects, checks the host key and logs in.
    ///
    /// - Parameters:
    ///   - endpoint: the host, port and user.
    ///   - authentication: the methods, tried in this order.
    ///   - hostKeys: which host keys are trusted.
    ///   - timeout: for the whole log-in; time in which the user is asked does not count.
    ///   - onPhase: called on the session's thread as each phase begins.
    /// - Throws: ``LinkError``: `unreachable`, `hostKeyUnknown`, `hostKeyChanged`, `authentication`, `timedOut`,
    ///   `cancelled`, `protocolViolation` when it is not an SSH server.
    package static func connect(
        to endpoint: SSHEndpoint, authentication: [SSHAuthentication] = SSHAuthentication.standard,
        hostKeys: HostKeyPolicy = .standard(), within timeout: Duration,
        onPhase: @escaping @Sendable (SSHConnectPhase) -> Void = { _ in }
    ) async throws(LinkError) -> SSHSession {
        guard !endpoint.user.isEmpty, !endpoint.user.utf8.contains(0) else {
            throw LinkError(.invalidInput, "'\(endpoint.user)' is not a valid user name")
        }
        let mailbox = try SessionMailbox()
        let procedure = ConnectProcedure(
            endpoint: endpoint, authentication: authentication, hostKeys: hostKeys, mailbox: mailbox,
            deadline: Deadline(in: timeout), onPhase: onPhase)
        let result: Result<Void, LinkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasStarted = DedicatedThread.start { serve(procedure, continuation) }
                if !hasStarted { continuation.resume(returning: .failure(.noThread)) }
            }
        } onCancel: {
            mailbox.stop(LinkError(.cancelled, "the log-in to \(endpoint.host) was interrupted"))
        }
        try result.get()
        return SSHSession(endpoint, mailbox)
    }

    private static func serve(
        _ procedure: ConnectProcedure, _ continuation: CheckedContinuation<Result<Void, LinkError>, Never>
    ) {
        do throws(LinkError) {
            let reason = try work(procedure, continuation)
            procedure.mailbox.finish(reason)
        } catch {
            procedure.mailbox.finish(error)
            continuation.resume(returning: .failure(error))
        }
    }

    /// A separate function, so that socket and session are released before the end of the session is reported.
    private static func work(
        _ procedure: ConnectProcedure, _ continuation: CheckedContinuation<Result<Void, LinkError>, Never>
    ) throws(LinkError) -> LinkError {
        let engine = SessionEngine(try procedure.run(), mailbox: procedure.mailbox)
        continuation.resume(returning: .success(()))
        return engine.run()
    }

    /// Whether the session is connected, as far as is known.
    package var isConnected: Bool { mailbox.stopReason == nil }

    /// Why the session has ended; `nil` while it is connected.
    package var failure: LinkError? { mailbox.stopReason }

    /// Logs out; everything pending in the session fails with `closed`. Safe to call twice.
    package func close() async {
        mailbox.stop(Self.closed)
        await mailbox.waitUntilFinished()
    }

    func open(
        _ purpose: ChannelCore.Purpose, by deadline: Deadline, secretOutput: Int? = nil
    ) async throws(LinkError) -> SSHChannel {
        try await SSHChannel.open(purpose, mailbox, by: deadline, secretOutput: secretOutput)
    }

    private static let closed = LinkError(.closed, "the SSH session was closed")
    /// The failure of a command that the vehicle's computer began in time, and whose answer did not come.
    package static let noAnswer = LinkError(
        .timedOut, "no answer from the vehicle over SSH within the timeout",
        hint: "the remote program may hang or the network be slow; raise --timeout")
}
