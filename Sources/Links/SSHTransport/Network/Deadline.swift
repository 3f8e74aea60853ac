internal import UAVLink

/// A deadline on the monotonic clock.
struct Deadline: Sendable, Comparable {
    let instant: MonotonicTime

    init(in timeout: Duration) { instant = SystemMonotonicClock().now + max(timeout, .zero) }
    init(at instant: MonotonicTime) { self.instant = instant }

    var remaining: Duration { max(instant - SystemMonotonicClock().now, .zero) }
    var hasPassed: Bool { remaining == .zero }

    /// The remaining time for `poll`: milliseconds, rounded up so that a wait does not end just before the deadline.
    var pollMilliseconds: Int32 { Self.pollMilliseconds(remaining) }

    static func pollMilliseconds(_ duration: Duration) -> Int32 {
        let milliseconds = (duration.nanoseconds / 1_000_000) + (duration.nanoseconds % 1_000_000 == 0 ? 0 : 1)
        return Int32(clamping: max(milliseconds, 0))
    }

    static func < (left: Self, right: Self) -> Bool { left.instant < right.instant }
}
