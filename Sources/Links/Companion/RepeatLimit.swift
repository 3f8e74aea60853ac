internal import UAVLink

/// Lets what happens again and again be said at once, and then once in a while together with how often it happened.
struct RepeatLimit {
    /// A cause that never ends adds 1440 lines a day, a tenth of a megabyte.
    static let period: Duration = .seconds(60)

    private var saidAt: MonotonicTime?
    private var unsaid = 0

    /// It has happened; whether it is to be said now.
    mutating func note(at now: MonotonicTime) -> Bool {
        if let saidAt, now - saidAt < Self.period {
            unsaid += 1
            return false
        }
        saidAt = now
        return true
    }

    /// When ``takeUnsaid(at:)`` has something to say; `nil` while nothing is unsaid.
    var summaryAt: MonotonicTime? { unsaid > 0 ? saidAt.map { $0 + Self.period } : nil }

    /// How often it has happened without being said, once that is to be said.
    mutating func takeUnsaid(at now: MonotonicTime) -> Int? {
        guard let summaryAt, now >= summaryAt else { return nil }
        defer { unsaid = 0 }
        saidAt = now
        return unsaid
    }
}
