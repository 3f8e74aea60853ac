internal import Secrets
internal import Synchronization
package import UAVLink

/// A byte stream to the vehicle inside an SSH session: a running program, a shell or a tunnel.
///
/// One task may read while another writes. Cancelling a wait closes the channel, and so does releasing the last
/// reference; the session and its other channels continue.
package final class SSHChannel: Sendable {
    let core: ChannelCore
    private let mailbox: SessionMailbox

    private init(_ purpose: ChannelCore.Purpose, _ mailbox: SessionMailbox, secretOutput: Int?) {
        core = ChannelCore(purpose, secretOutput: secretOutput)
        self.mailbox = mailbox
    }

    deinit { close() }

    /// - Parameter secretOutput: the most bytes of output, where output is a secret, which is not read in chunks then but taken
    ///   as a whole.
    static func open(
        _ purpose: ChannelCore.Purpose, _ mailbox: SessionMailbox, by deadline: Deadline, secretOutput: Int? = nil
    ) async throws(LinkError) -> SSHChannel {
        let channel = SSHChannel(purpose, mailbox, secretOutput: secretOutput)
        try await channel.wait(by: deadline) { (state, waiter: Waiter<Void>) in
            if case .failed(let error) = state.ending { return .failure(error) }
            state.opening = waiter
            return nil
        } thenTell: {
            mailbox.open(channel.core)
        }
        return channel
    }

    /// Returns the next bytes as soon as there are any; `nil` when the peer sends no more.
    ///
    /// - Throws: ``LinkError``: `timedOut` (the channel stays open), `cancelled`, `closed`, `notConnected` when the
    ///   connection was lost.
    package func read(within timeout: Duration) async throws(LinkError) -> SSHChunk? {
        try await read(by: Deadline(in: timeout))
    }

    func read(by deadline: Deadline) async throws(LinkError) -> SSHChunk? {
        try await wait(by: deadline) { (state, waiter: Waiter<SSHChunk?>) in
            if let chunk = state.nextChunk() { return chunk }
            guard state.reading == nil else { return .failure(Self.concurrentUse("read")) }
            state.reading = waiter
            return nil
        }
    }

    /// All output of a channel that was opened for a secret, once ``read(within:)`` has returned `nil`; `nil` when there was more
    /// than it was opened for.
    func takeSecretOutput() -> SecretBytes? { core.takeSecretOutput() }

    /// Sends bytes; returns when all but a bounded remainder has been sent.
    ///
    /// - Throws: ``LinkError``: `timedOut`, `cancelled`, `closed`, `notConnected`; `remoteFailed` when the peer reads no
    ///   more.
    package func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError) {
        try await write(bytes, by: Deadline(in: timeout))
    }

    func write(_ bytes: [UInt8], by deadline: Deadline) async throws(LinkError) {
        try await wait(by: deadline) { (state, waiter: Waiter<Void>) in
            switch state.ending {
            case .failed(let error): return .failure(error)
            case .exited: return .failure(ChannelCore.peerStoppedReading)
            case nil: break
            }
            guard !state.wantsEnd, !state.outputRefused else { return .failure(ChannelCore.peerStoppedReading) }
            guard state.writing == nil else { return .failure(Self.concurrentUse("written")) }
            state.outgoing.append(bytes)
            if state.outgoing.count < ChannelLimits.outgoing { return .success(()) }
            state.writing = waiter
            return nil
        }
    }

    /// Queues all of a program's input, followed by its end; does not wait.
    func provideInput(_ bytes: [UInt8]) {
        core.state.withLock { state in
            state.outgoing.append(bytes)
            state.wantsEnd = true
        }
        mailbox.attend()
    }

    /// Passes all data received from now on to `sink`, on the session's thread, which must return soon; `nil` marks the end.
    /// Must be called before any data can have arrived.
    func forwardData(into sink: @escaping @Sendable ([UInt8]?) -> Void) {
        core.state.withLock { $0.sink = sink }
    }

    /// Queues bytes unless `limit` bytes or more are already queued; does not wait.
    ///
    /// - Returns: whether they were queued; `nil` when the channel accepts no more data.
    package func offer(_ bytes: some Collection<UInt8>, limit: Int) -> Bool? {
        let taken: Bool? = core.state.withLock { state in
            guard state.ending == nil, !state.wantsEnd, !state.outputRefused, !state.wantsClose else { return nil }
            guard state.outgoing.count < limit else { return false }
            state.outgoing.append(bytes)
            return true
        }
        if taken == true { mailbox.attend() }
        return taken
    }

    /// Signals the end of input to the peer; reading continues.
    package func finishWriting() {
        core.state.withLock { $0.wantsEnd = true }
        mailbox.attend()
    }

    /// Announces a new terminal size to the remote program.
    func resize(columns: Int, rows: Int) {
        core.state.withLock { $0.newSize = (columns, rows) }
        mailbox.attend()
    }

    /// The program's exit status, known once ``read(within:)`` has returned `nil`.
    package var exit: SSHExit? {
        core.state.withLock { state in
            if case .exited(let exit) = state.ending { exit } else { nil }
        }
    }

    /// Closes the channel; pending operations fail with `closed`. Safe to call twice. The remote program is not killed: it
    /// notices when it next reads from or writes to its pipes.
    package func close() { leave(ChannelRecord.closed) }

    private func leave(_ reason: LinkError) {
        let isNew = core.state.withLock { state in
            defer { state.wantsClose = true }
            return !state.wantsClose
        }
        guard isNew else { return }
        core.end(.failed(reason))
        mailbox.attend()
    }

    private static func concurrentUse(_ what: String) -> LinkError {
        LinkError(.internalFault, "an SSH channel was \(what) by two tasks at once")
    }

    /// Waits for the session's thread: `begin` either returns a result at once or stores the waiter.
    private func wait<Value: Sendable>(
        by deadline: Deadline,
        _ begin: @Sendable (inout sending ChannelCore.State, Waiter<Value>) -> Result<Value, LinkError>?,
        thenTell: (@Sendable () -> Void)? = nil
    ) async throws(LinkError) -> Value {
        let result: Result<Value, LinkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(deadline: deadline, continuation: continuation)
                let answer = core.state.withLock { begin(&$0, waiter) }
                if let thenTell { thenTell() } else { mailbox.attend() }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leave(LinkError(.cancelled, "the caller cancelled the SSH operation"))
        }
        return try result.get()
    }
}
