internal import Synchronization
internal import Threads
internal import UAVLink

/// Decodes large commands on a thread of its own, one after the other, so that none overtakes another and nobody who steers waits.
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
        var isAtWork = false
    }

    private let state = Mutex(State())
    private let decode: Decode

    init(_ decode: @escaping Decode) { self.decode = decode }

    /// Decodes one more; the thread is there only while there is something to do.
    ///
    /// - Parameter done: called for each on that thread, in the order in which they were added.
    func add(_ work: Work, done: @escaping @Sendable (Work, DecodedCommand?) -> Void) {
        let begins = state.withLock { state in
            state.waiting.append(work)
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
        guard begins else { return }
        let body: @Sendable () -> Void = { [self] in
            while let next = next() { done(next, decode(next.transfer)) }
        }
        // Where no thread can be started it is done here: late is better than never.
        if !OwnThread.startWork(body) { body() }
    }

    private func next() -> Work? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isAtWork = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
