/// When a value that is renewed at one rate is handed on at another: with its news, so that nothing lies and grows old, and
/// so many a second on the average; a source that is faster by up to a third, and is asked for each time, is followed.
///
/// ```
///   news        x   x   x   x   x   x      100 Hz
///   handed on   x       x       x           50 Hz, each at the instant at which it came
/// ```
/// Without news the last value is handed on again after one and a half periods: the other end sees that somebody is there.
public struct NewsPacer: Sendable {
    private let period: Duration
    /// When the next is due by the rate, and when the last one was handed on.
    private var due: MonotonicTime
    private var last: MonotonicTime?

    /// The first is due at `start`.
    ///
    /// - Parameter period: from one to the next on the average.
    public init(period: Duration, start: MonotonicTime) {
        self.period = period
        due = start
    }

    /// When to hand on the next at the latest.
    ///
    /// - Parameter hasNews: something has come that was not handed on.
    public func deadline(hasNews: Bool) -> MonotonicTime {
        // News come with some jitter: a quarter too early is in time.
        guard !hasNews, let last else { return last == nil ? due : due - period / 4 }
        return last + period * 1.5
    }

    /// Whether to hand on now; then it counts as done.
    ///
    /// - Parameter newsAt: when that came which was not handed on yet; `nil` when nothing has come.
    public mutating func takes(now: MonotonicTime, newsAt: MonotonicTime?) -> Bool {
        guard deadline(hasNews: newsAt != nil) <= now else { return false }
        last = now
        guard let newsAt else {
            // What was repeated for want of news does not keep the news waiting.
            due = now + period / 4
            return true
        }
        // News that had to wait draw the next instant nearer, until both are in step. What comes late does not make the
        // following ones early by more than half a period.
        let waited = min(max(now - newsAt, .zero), period / 4)
        due = max(due + (period - waited), now + period / 2)
        return true
    }

    /// The next is due at once, whatever was handed on before.
    public mutating func restart(now: MonotonicTime) {
        due = now
        last = nil
    }
}
