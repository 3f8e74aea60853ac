internal import Synchronization

/// A one-shot result, set by another thread and awaited by one task; cancelling that task settles it with an error.
final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, ZenohError>, Never>)
        case settled(Result<Value, ZenohError>)
        case taken
    }

    private let state = Mutex(State.open)
    private let onCancel: @Sendable () -> Void

    /// - Parameter onCancel: called when the waiting task is cancelled first.
    init(onCancel: @escaping @Sendable () -> Void = {}) { self.onCancel = onCancel }

    /// Sets the result and resumes the waiting task; only the first call has an effect.
    func settle(_ result: Result<Value, ZenohError>) {
        let waiter: CheckedContinuation<Result<Value, ZenohError>, Never>? = state.withLock { state in
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
    func value() async throws(ZenohError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Result<Value, ZenohError>? = state.withLock { state in
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
            settle(.failure(ZenohError(.cancelled, "the call was cancelled")))
            onCancel()
        }
        return try result.get()
    }
}
