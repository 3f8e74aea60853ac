/// The most recent round trips.
struct RoundTripWindow {
    /// The smallest number of samples for a meaningful 99th percentile.
    static let capacity = 100

    private var recent: [Duration] = []
    private(set) var newest: Duration?

    mutating func add(_ roundTrip: Duration) {
        newest = roundTrip
        if recent.count >= Self.capacity { recent.removeFirst() }
        recent.append(roundTrip)
    }

    /// The smallest recent round trip that is not exceeded by at least this share of them (nearest rank).
    func percentile(_ share: Double) -> Duration? {
        guard !recent.isEmpty else { return nil }
        let rank = Int((share * Double(recent.count)).rounded(.up))
        return recent.sorted()[min(max(rank, 1), recent.count) - 1]
    }
}
