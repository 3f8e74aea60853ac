/// A clock and a delay, injected so that tests can replace the real time.
public protocol TimeSource: Sendable {
    /// The present instant.
    var clock: any MonotonicClock { get }
    /// Waits for a duration; `false` if the task was cancelled meanwhile.
    func pause(_ duration: Duration) async -> Bool
}

/// The system clock and real delays.
public struct SystemTimeSource: TimeSource {
    /// The system's monotonic clock.
    public let clock: any MonotonicClock = SystemMonotonicClock()

    /// The real time source.
    public init() {}

    /// Waits for a duration; `false` if the task was cancelled meanwhile.
    public func pause(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }
}
