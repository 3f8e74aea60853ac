/// The round trips of the recent past.
struct RoundTripWindow {
    /// Enough for a 99th percentile to mean something.
    static let capacity = 100

    private var recent: [Duration] = []
    private(set) var newest: Duration?

    mutating func add(_ roundTrip: Duration) {
        newest = roundTrip
        if recent.count >= Self.capacity { recent.removeFirst() }
        recent.append(roundTrip)
    }

    /// The smallest round trip that at least this share of the recent ones do not exceed.
    func percentile(_ share: Double) -> Duration? {
        guard !recent.isEmpty else { return nil }
        let rank = Int((share * Double(recent.count)).rounded(.up))
        return recent.sorted()[min(max(rank, 1), recent.count) - 1]
    }
}
