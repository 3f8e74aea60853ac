internal import UAVLink

/// A deadline on the monotonic clock.
struct Deadline: Sendable, Comparable {
    let instant: MonotonicTime

    init(in timeout: Duration) { instant = SystemMonotonicClock().now + max(timeout, .zero) }
    init(at instant: MonotonicTime) { self.instant = instant }

    var remaining: Duration { max(instant - SystemMonotonicClock().now, .zero) }
    var hasPassed: Bool { remaining == .zero }

    static func < (left: Self, right: Self) -> Bool { left.instant < right.instant }
}
