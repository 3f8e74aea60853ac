public import UAVLink

/// A time source on a clock that a test moves.
public final class FakeTimeSource: TimeSource {
    /// The clock.
    public let fake = FakeClock()
    /// The same, as those who wait see it.
    public var clock: any MonotonicClock { fake }

    /// How many pauses are under way.
    public var pauses: Int { fake.sleeperCount }

    /// Makes one.
    public init() {}

    /// Waits on the clock; false if cancelled.
    public func pause(_ duration: Duration) async -> Bool {
        do {
            try await fake.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// Lets the time pass, and what that wakes run.
    @MainActor
    public func beat(_ duration: Duration = .milliseconds(200)) async {
        await fake.run(for: duration)
    }
}
