internal import Synchronization
public import UAVLink

/// One byte stream to the vehicle inside an SSH session: a running program, a shell or a tunnel.
///
/// One task may read and another may write at the same time. A cancelled wait closes the channel, and so does letting
/// go of the last reference; the session and its other channels go on.
public final class SSHChannel: Sendable {
    let core: ChannelCore
    private let mailbox: SessionMailbox

    private init(_ purpose: ChannelCore.Purpose, _ mailbox: SessionMailbox) {
        core = ChannelCore(purpose)
        self.mailbox = mailbox
    }

    deinit { close() }

    static func open(_ purpose: ChannelCore.Purpose, _ mailbox: SessionMailbox, by deadline: Deadline)
        async throws(LinkError) -> SSHChannel
    {
        let channel = SSHChannel(purpose, mailbox)
        try await channel.wait(by: deadline) { (state, waiter: Waiter<Void>) in
            if case .failed(let error) = state.ending { return .failure(error) }
            state.opening = waiter
            return nil
        } thenTell: {
            mailbox.open(channel.core)
        }
        return channel
    }

    /// The next bytes, as soon as there are any; `nil` when the other end sends no more.
    ///
    /// - Throws: ``LinkError``: `timedOut` (the channel stays open), `cancelled`, `closed`, `notConnected` when the
    ///   connection was lost.
    public func read(within timeout: Duration) async throws(LinkError) -> SSHChunk? {
        try await read(by: Deadline(in: timeout))
    }

    func read(by deadline: Deadline) async throws(LinkError) -> SSHChunk? {
        try await wait(by: deadline) { (state, waiter: Waiter<SSHChunk?>) in
            if let chunk = state.nextChunk() { return chunk }
            guard state.reading == nil else { return .failure(Self.oneAtATime("read")) }
            state.reading = waiter
            return nil
        }
    }

    /// Sends bytes; returns when all but a bounded rest of them is on its way.
    ///
    /// - Throws: ``LinkError``: `timedOut`, `cancelled`, `closed`, `notConnected`; `remoteFailed` when the other end
    ///   reads no more.
    public func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError) {
        try await write(bytes, by: Deadline(in: timeout))
    }

    func write(_ bytes: [UInt8], by deadline: Deadline) async throws(LinkError) {
        try await wait(by: deadline) { (state, waiter: Waiter<Void>) in
            switch state.ending {
            case .failed(let error): return .failure(error)
            case .exited: return .failure(ChannelCore.readsNoMore)
            case nil: break
            }
            guard !state.wantsEnd, !state.outputRefused else { return .failure(ChannelCore.readsNoMore) }
            guard state.writing == nil else { return .failure(Self.oneAtATime("written")) }
            state.outgoing.append(bytes)
            if state.outgoing.count < ChannelLimits.outgoing { return .success(()) }
            state.writing = waiter
            return nil
        }
    }

    /// Hands over all of a program's input at once, with its end; does not wait.
    func provideInput(_ bytes: [UInt8]) {
        core.state.withLock { state in
            state.outgoing.append(bytes)
            state.wantsEnd = true
        }
        mailbox.attend()
    }

    /// Has everything that comes from now on handed to `sink` on the session's own thread, which must return soon; at the end
    /// `nil`. To be called before anything can have come.
    func pour(into sink: @escaping @Sendable ([UInt8]?) -> Void) {
        core.state.withLock { $0.sink = sink }
    }

    /// Sends bytes unless so many wait already; does not wait.
    ///
    /// - Returns: whether they were taken; `nil` when the channel takes none any more.
    func offer(_ bytes: some Collection<UInt8>, limit: Int) -> Bool? {
        let taken: Bool? = core.state.withLock { state in
            guard state.ending == nil, !state.wantsEnd, !state.outputRefused, !state.wantsClose else { return nil }
            guard state.outgoing.count < limit else { return false }
            state.outgoing.append(bytes)
            return true
        }
        if taken == true { mailbox.attend() }
        return taken
    }

    /// Tells the other end that no more bytes will come; reading goes on.
    public func finishWriting() {
        core.state.withLock { $0.wantsEnd = true }
        mailbox.attend()
    }

    /// Tells the program at the other end that its terminal's size has changed.
    func resize(columns: Int, rows: Int) {
        core.state.withLock { $0.newSize = (columns, rows) }
        mailbox.attend()
    }

    /// How the program ended: known once ``read(within:)`` has returned `nil`.
    public var exit: SSHExit? {
        core.state.withLock { state in
            if case .exited(let exit) = state.ending { exit } else { nil }
        }
    }

    /// Closes the channel; whoever waits on it fails with `closed`. Safe to call twice. A program at the other end is
    /// told by its pipes: it ends when it reads or writes them, not before.
    public func close() { leave(ChannelRecord.closed) }

    private func leave(_ reason: LinkError) {
        let isNew = core.state.withLock { state in
            defer { state.wantsClose = true }
            return !state.wantsClose
        }
        guard isNew else { return }
        core.end(.failed(reason))
        mailbox.attend()
    }

    private static func oneAtATime(_ what: String) -> LinkError {
        LinkError(.internalFault, "an SSH channel was \(what) by two tasks at once")
    }

    /// Waits for the session's thread: `begin` either answers at once or keeps the waiter it is given.
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
            leave(LinkError(.cancelled, "the caller cancelled what ran over SSH"))
        }
        return try result.get()
    }
}
