internal import Synchronization

/// A one-shot event, awaited by any number of tasks.
final class OneShotEvent: Sendable {
    private struct State {
        var hasOccurred = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var hasOccurred: Bool { state.withLock { $0.hasOccurred } }

    func occur() {
        let waiters = state.withLock { state in
            state.hasOccurred = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasOccurred = state.withLock { state in
                if !state.hasOccurred { state.waiters.append(continuation) }
                return state.hasOccurred
            }
            if hasOccurred { continuation.resume() }
        }
    }
}
