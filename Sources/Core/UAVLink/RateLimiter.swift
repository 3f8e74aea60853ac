/// A rate limiter for a value that is updated at one rate and sent at another.
///
/// A value is sent when an update arrives, so that it does not age while it waits, and at the given rate on average. A
/// source up to a third faster than that, and polled at each update, passes every update.
///
/// ```
///   updates   x   x   x   x   x   x      100 Hz
///   sent      x       x       x           50 Hz, each at the instant of an update
/// ```
/// Without updates the last value is sent again after one and a half periods, as a sign of life for the peer.
public struct RateLimiter: Sendable {
    private let period: Duration
    /// When the next value is due by the rate, and when the last one was sent.
    private var due: MonotonicTime
    private var last: MonotonicTime?

    /// A rate limiter whose first value is due at `start`.
    ///
    /// - Parameter period: the average time between two values.
    public init(period: Duration, start: MonotonicTime) {
        self.period = period
        due = start
    }

    /// The latest instant for the next value.
    ///
    /// - Parameter hasUpdate: whether an update has not been sent yet.
    public func deadline(hasUpdate: Bool) -> MonotonicTime {
        // Updates have some jitter: up to a quarter of a period early counts as due.
        guard !hasUpdate, let last else { return last == nil ? due : due - period / 4 }
        return last + period * 1.5
    }

    /// Whether to send now; if so, the value counts as sent.
    ///
    /// - Parameter updateAt: when the update arrived that was not sent yet; `nil` if there is none.
    public mutating func takes(now: MonotonicTime, updateAt: MonotonicTime?) -> Bool {
        guard deadline(hasUpdate: updateAt != nil) <= now else { return false }
        last = now
        guard let updateAt else {
            // A repeated value must not delay the next update.
            due = now + period / 4
            return true
        }
        // An update that had to wait moves the next due time earlier, until both are in phase. A late update makes the
        // following ones early by at most half a period.
        let waited = min(max(now - updateAt, .zero), period / 4)
        due = max(due + (period - waited), now + period / 2)
        return true
    }

    /// Makes the next value due at once.
    public mutating func restart(now: MonotonicTime) {
        due = now
        last = nil
    }
}
