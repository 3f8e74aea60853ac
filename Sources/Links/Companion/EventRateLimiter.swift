internal import UAVLink

/// Rate limiter for repeated events: reports the first at once, and then the number of further ones once per period.
struct EventRateLimiter {
    /// A permanent cause adds 1440 lines a day, a tenth of a megabyte.
    static let period: Duration = .seconds(60)

    private var reportedAt: MonotonicTime?
    private var unreportedCount = 0

    /// Counts an event; returns whether to report it now.
    mutating func note(at now: MonotonicTime) -> Bool {
        if let reportedAt, now - reportedAt < Self.period {
            unreportedCount += 1
            return false
        }
        reportedAt = now
        return true
    }

    /// When ``takeUnreported(at:)`` has something to report; `nil` while there is nothing.
    var summaryAt: MonotonicTime? { unreportedCount > 0 ? reportedAt.map { $0 + Self.period } : nil }

    /// The number of unreported events, if they are due to be reported.
    mutating func takeUnreported(at now: MonotonicTime) -> Int? {
        guard let summaryAt, now >= summaryAt else { return nil }
        defer { unreportedCount = 0 }
        reportedAt = now
        return unreportedCount
    }
}
