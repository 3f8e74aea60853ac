import Synchronization
public import UAVLink

/// A clock that stands still until a test moves it, and sleepers that wake as it goes.
public final class FakeClock: MonotonicClock {
    private struct Sleeper {
        var deadline: MonotonicTime
        var continuation: CheckedContinuation<Bool, Never>
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

    /// How many are asleep on this clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock on and wakes whoever's time has come, earliest first.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in woken { sleeper.continuation.resume(returning: true) }
    }

    /// Sleeps until the clock has been moved that far.
    public func sleep(for duration: Duration) async throws(CancellationError) { try await sleep(until: now + duration) }

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
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
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
            sleeper?.continuation.resume(returning: false)
        }
        _ = state.withLock { $0.cancelledEarly.remove(id) }
        guard wokeInTime else { throw CancellationError() }
    }

    /// Waits, in real time, until that many are asleep: a test moves the clock only when the code under test waits.
    ///
    /// - Returns: whether they were before `limit` of real time had passed.
    public func waitForSleepers(_ count: Int = 1, within limit: Duration = .seconds(10)) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while sleeperCount < count {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}
