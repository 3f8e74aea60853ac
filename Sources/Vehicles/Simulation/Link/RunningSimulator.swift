internal import Synchronization
public import UAVLink

/// A simulator that follows a clock: every access first advances it to the clock's time.
public final class RunningSimulator: Sendable {
    private struct State: ~Copyable {
        var simulator: HexacopterSimulator
        var isRunning = false
        var isFrozen = false
        /// The clock's time at the simulator's zero, corrected for skipped time.
        var origin = MonotonicTime(nanoseconds: 0)
    }

    /// The most to catch up at once, seconds of the clock: after a suspension the vehicle continues from where it was
    /// instead of flying minutes in an instant.
    private static let maximumCatchUp = 0.25

    /// Simulated seconds per second of the clock.
    public let speed: Double
    private let clock: any MonotonicClock
    private let state: Mutex<State>

    /// Creates a simulator that is stopped until ``start()``.
    public init(_ simulator: HexacopterSimulator, speed: Double = 1, clock: any MonotonicClock = SystemMonotonicClock())
    {
        self.speed = speed.isFinite ? min(max(speed, 0.01), 1000) : 1
        self.clock = clock
        state = Mutex(State(simulator: simulator))
    }

    /// Starts the simulated time.
    public func start() {
        let now = clock.now
        state.withLock { state in
            guard !state.isRunning else { return }
            state.isRunning = true
            state.origin = origin(of: state.simulator, now: now)
        }
    }

    /// Freezes the simulated time, or lets it continue.
    public func freeze(_ isFrozen: Bool) {
        let now = clock.now
        state.withLock { state in
            catchUp(&state, now: now)
            if state.isFrozen, !isFrozen { state.origin = origin(of: state.simulator, now: now) }
            state.isFrozen = isFrozen
        }
    }

    /// Whether it is frozen by ``freeze(_:)``.
    public var isFrozen: Bool { state.withLock { $0.isFrozen } }

    /// Accesses the simulator, advanced to the clock's time.
    public func now<Result>(_ body: (inout HexacopterSimulator) -> Result) -> Result {
        let now = clock.now
        return state.withLock { state in
            catchUp(&state, now: now)
            return body(&state.simulator)
        }
    }

    /// As ``now(_:)``, but `nil` while frozen.
    public func unlessFrozen<Result>(_ body: (inout HexacopterSimulator) -> Result) -> Result? {
        let now = clock.now
        return state.withLock { state in
            guard !state.isFrozen else { return nil }
            catchUp(&state, now: now)
            return body(&state.simulator)
        }
    }

    private func catchUp(_ state: inout State, now: MonotonicTime) {
        guard !state.isFrozen, state.isRunning else { return }
        let perSecond = Double(HexacopterSimulator.stepsPerSecond)
        let due = ((now - state.origin).inSeconds * speed - state.simulator.seconds) * perSecond
        let most = Self.maximumCatchUp * speed * perSecond
        guard due > 0 else { return }
        for _ in 0..<Int(min(due, most)) { state.simulator.step() }
        if due > most { state.origin = origin(of: state.simulator, now: now) }
    }

    private func origin(of simulator: HexacopterSimulator, now: MonotonicTime) -> MonotonicTime {
        now - .nanoseconds(Int64(simulator.seconds / speed * 1e9))
    }
}
