/// Waits, for whoever must not know the real time: tests put their own here.
public protocol Pacemaker: Sendable {
    /// The present instant.
    var clock: any MonotonicClock { get }
    /// Waits so long; `false` when the task was cancelled meanwhile.
    func pause(_ duration: Duration) async -> Bool
}

/// The real time.
public struct SystemPacemaker: Pacemaker {
    /// The machine's clock.
    public let clock: any MonotonicClock = SystemMonotonicClock()

    /// The real time.
    public init() {}

    /// Waits so long; `false` when the task was cancelled meanwhile.
    public func pause(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }
}
