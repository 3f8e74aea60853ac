internal import Synchronization

/// A one-shot result of an ``EventLoop``, set by its thread and awaited by one task; cancelling that task settles it with an error.
package final class LoopAnswer<Value: Sendable, Failure: Error>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, Failure>, Never>)
        case settled(Result<Value, Failure>)
        case taken
    }

    private let state = Mutex(State.open)
    private let onCancel: @Sendable () -> Void

    /// - Parameter onCancel: called when the waiting task is cancelled.
    package init(onCancel: @escaping @Sendable () -> Void = {}) { self.onCancel = onCancel }

    /// Sets the result and resumes the waiting task; only the first call has an effect.
    package func settle(_ result: Result<Value, Failure>) {
        let waiter: CheckedContinuation<Result<Value, Failure>, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .settled, .taken: return nil
            }
        }
        waiter?.resume(returning: result)
    }

    /// Waits for the result; only one caller may wait.
    ///
    /// - Parameter cancelled: the error for a caller whose task is cancelled first.
    /// - Throws: the error of the result, or `cancelled`.
    package func value(cancelled: Failure) async throws(Failure) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Result<Value, Failure>? = state.withLock { state in
                    if case .settled(let result) = state {
                        state = .taken
                        return result
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            settle(.failure(cancelled))
            onCancel()
        }
        return try result.get()
    }
}
