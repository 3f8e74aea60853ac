/// The most recent round trips.
public struct RoundTripWindow: Sendable {
    /// The smallest number of samples for a meaningful 99th percentile.
    public static let capacity = 100

    private var recent: [Duration] = []
    /// The newest one.
    public private(set) var newest: Duration?
    /// When that was measured.
    public private(set) var newestAt: MonotonicTime?

    /// No round trips yet.
    public init() {}

    /// Adds one; the oldest is forgotten.
    public mutating func add(_ roundTrip: Duration, at now: MonotonicTime) {
        (newest, newestAt) = (roundTrip, now)
        if recent.count >= Self.capacity { recent.removeFirst() }
        recent.append(roundTrip)
    }

    /// The smallest recent round trip that is not exceeded by at least this share of them (nearest rank).
    public func percentile(_ share: Double) -> Duration? {
        guard !recent.isEmpty else { return nil }
        let rank = Int((share * Double(recent.count)).rounded(.up))
        return recent.sorted()[min(max(rank, 1), recent.count) - 1]
    }
}
