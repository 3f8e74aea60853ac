internal import Synchronization

/// An asynchronous FIFO lock.
public final class TurnQueue: Sendable {
    private struct State {
        var isTaken = false
        var next: UInt64 = 0
        var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Result<Void, LinkError>, Never>)] = []
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock

    /// A free lock.
    ///
    /// - Parameter clock: the time source.
    public init(clock: any MonotonicClock = SystemMonotonicClock()) { self.clock = clock }

    /// Waits for the lock; the caller must call ``pass()`` afterwards.
    ///
    /// - Throws: ``LinkError``: `timedOut`, `cancelled`.
    public func enter(by deadline: MonotonicTime) async throws(LinkError) {
        let ticket = state.withLock { state -> UInt64? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            state.next += 1
            return state.next
        }
        guard let ticket else { return }
        let result: Result<Void, LinkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.isTaken {
                        state.waiting.append((ticket, continuation))
                        return false
                    }
                    state.isTaken = true
                    return true
                }
                if isFree { return continuation.resume(returning: .success(())) }
                if Task.isCancelled { return give(up: ticket, Self.cancelled) }
                Task {
                    try? await clock.sleep(until: deadline)
                    give(up: ticket, LinkError(.timedOut, "the previous command did not end within the timeout"))
                }
            }
        } onCancel: {
            give(up: ticket, Self.cancelled)
        }
        try result.get()
    }

    /// Passes the lock to the next waiter.
    public func pass() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil as CheckedContinuation<Result<Void, LinkError>, Never>?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: .success(()))
    }

    private func give(up ticket: UInt64, _ error: LinkError) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).continuation }
        }
        waiter?.resume(returning: .failure(error))
    }

    private static let cancelled = LinkError(.cancelled, "the caller cancelled while another one had its turn")
}
