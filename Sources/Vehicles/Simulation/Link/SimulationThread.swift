#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads

/// A thread of one's own that does something again and again until it is told to end.
public final class SimulationThread: Sendable {
    private struct State {
        var isEnding = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts it; `round` does the work and says how long to rest before the next.
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
        // Without a thread nothing goes on, and nobody waits for its end.
        if !OwnThread.start(body) { state.withLock { $0.hasEnded = true } }
    }

    /// Ends it and returns when its last round is over.
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
