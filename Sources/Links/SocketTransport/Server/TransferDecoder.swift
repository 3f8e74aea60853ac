internal import ChannelProtocol
internal import Synchronization
internal import Threads
internal import UAVLink

/// Decodes large commands in order on a dedicated thread, so that their order is kept and steering does not wait.
final class TransferDecoder: Sendable {
    typealias Decode = @Sendable (CommandTransfer) -> DecodedCommand?

    struct Work: Sendable {
        let transfer: CommandTransfer
        let session: SessionID
        /// When its last frame was read.
        let receivedAt: MonotonicTime
    }

    private struct State {
        var waiting: [Work] = []
        var isDecoding = false
    }

    private let state = Mutex(State())
    private let decode: Decode

    init(_ decode: @escaping Decode) { self.decode = decode }

    /// Queues one command for decoding; the thread exists only while the queue is not empty.
    ///
    /// - Parameter done: called on that thread for each command, in the order in which they were added.
    func add(_ work: Work, done: @escaping @Sendable (Work, DecodedCommand?) -> Void) {
        let begins = state.withLock { state in
            state.waiting.append(work)
            defer { state.isDecoding = true }
            return !state.isDecoding
        }
        guard begins else { return }
        let body: @Sendable () -> Void = { [self] in
            while let next = next() { done(next, decode(next.transfer)) }
        }
        // When no thread can be started, decode here: late is better than never.
        if !DedicatedThread.startWork(body) { body() }
    }

    private func next() -> Work? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDecoding = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
