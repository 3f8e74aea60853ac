internal import Synchronization

/// The answer of work that goes on when its caller leaves: a stop command, whose caller presses Ctrl-C while it is on its way.
public final class LateAnswer<Value: Sendable>: Sendable {
    private enum State {
        case none
        case waiting(CheckedContinuation<Result<Value, LinkError>, Never>)
        case given(Result<Value, LinkError>)
        case taken
    }

    private let state = Mutex(State.none)

    /// No answer yet.
    public init() {}

    /// Gives the answer; only the first one counts.
    public func give(_ result: Result<Value, LinkError>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<Value, LinkError>, Never>? in
            switch state {
            case .none: state = .given(result)
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .given, .taken: break
            }
            return nil
        }
        waiting?.resume(returning: result)
    }

    /// Waits for the answer; for one caller.
    ///
    /// - Parameter left: the error for a caller whose task is cancelled, at once.
    /// - Throws: ``LinkError`` of the answer, or `left`.
    public func value(left: LinkError) async throws(LinkError) -> Value {
        let result: Result<Value, LinkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Result<Value, LinkError>? in
                    if case .given(let result) = state {
                        state = .taken
                        return result
                    }
                    state = .waiting(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        } onCancel: {
            give(.failure(left))
        }
        return try result.get()
    }
}
