internal import Synchronization
package import UAVLink

/// Passes the answer of a command that was begun with a callback on to a task that waits for it, and is not kept waiting when it is
/// cancelled.
package final class AnswerWaiter: Sendable {
    /// What a command becomes.
    package typealias Answer = Result<CommandReply, LinkError>

    private struct State {
        var continuation: CheckedContinuation<Answer, Never>?
        var recall: CommandRecall?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Waits for one answer.
    package init() {}

    /// The answer of a command.
    ///
    /// - Parameter begin: begins the command with a callback.
    package func answer(to begin: ((@escaping @Sendable (Answer) -> Void) -> CommandRecall?)) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    state.continuation = continuation
                    return state.isCancelled
                }
                guard !isCancelled else { return resume(with: Self.cancelled) }
                hold(begin { self.resume(with: $0) })
            }
        } onCancel: {
            let recall = state.withLock { state in
                state.isCancelled = true
                return state.recall
            }
            // First: the recall is answered, too.
            resume(with: Self.cancelled)
            recall?()
        }
    }

    private func hold(_ recall: CommandRecall?) {
        let isCancelled = state.withLock { state in
            state.recall = recall
            return state.isCancelled
        }
        if isCancelled { recall?() }
    }

    /// Only the first one counts.
    private func resume(with answer: Answer) {
        state.withLock { $0.continuation.take() }?.resume(returning: answer)
    }

    private static let cancelled = Answer.failure(LinkError(.cancelled, "the command was cancelled"))
}
