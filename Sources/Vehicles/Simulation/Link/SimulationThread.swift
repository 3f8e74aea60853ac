#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads

/// A dedicated thread that repeats its work until it is ended.
public final class SimulationThread: Sendable {
    private struct State {
        var isEnding = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts the thread; `round` does the work and returns the pause before the next round.
    public init(round: @escaping @Sendable () -> Duration) {
        let body: @Sendable () -> Void = { [self] in
            while !state.withLock({ $0.isEnding }) {
                Self.sleep(round())
            }
            let waiters = state.withLock { state in
                state.hasEnded = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
        // Without a thread nothing runs, so `end()` must not wait.
        if !DedicatedThread.start(body) { state.withLock { $0.hasEnded = true } }
    }

    /// Ends the thread and returns after its last round.
    public func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.isEnding = true
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    private static func sleep(_ time: Duration) {
        let nanoseconds = max(0, time.components.attoseconds / 1_000_000_000)
        var left = timespec(tv_sec: Int(time.components.seconds), tv_nsec: Int(nanoseconds))
        var rest = timespec()
        while nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
    }
}
