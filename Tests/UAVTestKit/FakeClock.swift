internal import Dispatch
internal import Synchronization
internal import Threads
public import UAVLink

/// A clock that stands still until a test moves it, with tasks that sleep and threads that block until it has come to their
/// time.
public final class FakeClock: MonotonicClock {
    private enum Waiter {
        case task(CheckedContinuation<Bool, Never>)
        case thread(UInt, DispatchSemaphore)
    }

    private struct Sleeper {
        var deadline: MonotonicTime
        var waiter: Waiter
    }

    private struct State {
        var now: MonotonicTime
        var sleepers: [UInt64: Sleeper] = [:]
        var cancelledEarly: Set<UInt64> = []
        var nextSleeper: UInt64 = 0
    }

    private let state: Mutex<State>

    /// A clock that shows `start`; not zero, so that code which takes zero for "never" is found.
    public init(start: MonotonicTime = MonotonicTime(nanoseconds: 1_000_000_000_000)) {
        state = Mutex(State(now: start))
    }

    /// The present instant.
    public var now: MonotonicTime { state.withLock { $0.now } }

    /// How many tasks are asleep on this clock.
    public var sleeperCount: Int {
        state.withLock { state in
            state.sleepers.values.count { if case .task = $0.waiter { true } else { false } }
        }
    }

    // MARK: Moving it

    /// Moves the clock on and wakes whoever's time has come, earliest first. What they do then is not waited for: see
    /// ``run(for:)``.
    public func advance(by duration: Duration) { move(to: now + duration) }

    /// Lets that much time pass, from one sleeper's time to the next, with everything that happens at each of them.
    public func run(for duration: Duration) async { _ = await run(within: duration) { false } }

    /// Lets time pass until a condition holds, at most `limit`; says whether it holds.
    public func run(within limit: Duration = .seconds(60), until condition: () -> Bool) async -> Bool {
        let end = now + limit
        while true {
            await settle()
            if condition() { return true }
            let next = state.withLock { state in state.sleepers.values.lazy.map(\.deadline).min() }
            guard let next, next <= end else { break }
            move(to: next)
        }
        move(to: end)
        await settle()
        return condition()
    }

    /// Lets time pass until an operation has come to its end, at most `limit`, and gives what it gave.
    ///
    /// - Throws: what the operation throws; ``NotEnded`` when it has not ended by then, and it is cancelled.
    @discardableResult
    public func run<Value: Sendable>(
        within limit: Duration = .seconds(60), through operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let flag = EndFlag()
        let task = Task {
            defer { flag.set() }
            return try await operation()
        }
        guard await run(within: limit, until: { flag.isSet }) else {
            task.cancel()
            throw NotEnded(limit: limit)
        }
        return try await task.value
    }

    /// What was waited for did not come to an end, however much time passed.
    public struct NotEnded: Error {
        /// The time that passed.
        public var limit: Duration
    }

    private final class EndFlag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    private func move(to instant: MonotonicTime) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in woken {
            switch sleeper.waiter {
            case .task(let continuation): continuation.resume(returning: true)
            case .thread(let thread, let gate):
                TestExecutor.shared.threadGoesOn(thread)
                gate.signal()
            }
        }
    }

    // MARK: Waiting for it

    /// Sleeps until the clock shows `deadline`.
    public func sleep(until deadline: MonotonicTime) async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        let wokeInTime = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let atOnce: Bool? = state.withLock { state in
                    if state.cancelledEarly.remove(id) != nil { return false }
                    if deadline <= state.now { return true }
                    state.sleepers[id] = Sleeper(deadline: deadline, waiter: .task(continuation))
                    return nil
                }
                if let atOnce { continuation.resume(returning: atOnce) }
            }
        } onCancel: {
            // The handler may run before there is a sleeper.
            let sleeper = state.withLock { state in
                guard let sleeper = state.sleepers.removeValue(forKey: id) else {
                    state.cancelledEarly.insert(id)
                    return nil as Sleeper?
                }
                return sleeper
            }
            if case .task(let continuation) = sleeper?.waiter { continuation.resume(returning: false) }
        }
        _ = state.withLock { $0.cancelledEarly.remove(id) }
        guard wokeInTime else { throw CancellationError() }
    }

    /// Blocks the calling thread, one of those of `DedicatedThread.activeThreads`, until the clock shows `deadline`. As long as it
    /// does, the thread counts as idle.
    public func block(until deadline: MonotonicTime) {
        let thread = DedicatedThread.current
        let gate = DispatchSemaphore(value: 0)
        let mustWait = state.withLock { state in
            guard deadline > state.now else { return false }
            state.nextSleeper += 1
            state.sleepers[state.nextSleeper] = Sleeper(deadline: deadline, waiter: .thread(thread, gate))
            // Under this lock, so that nothing wakes it before it counts as idle.
            TestExecutor.shared.threadBlocks(thread)
            return true
        }
        if mustWait { gate.wait() }
    }
}
