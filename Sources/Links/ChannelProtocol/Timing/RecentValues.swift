/// The newest values of a measurement, up to a fixed capacity; adding never allocates.
package struct RecentValues {
    private var values: [Int64]
    private var next = 0
    private(set) var count = 0
    private(set) var latest: Int64?

    init(capacity: Int) { values = [Int64](repeating: 0, count: max(1, capacity)) }

    mutating func add(_ value: Int64) {
        values[next] = value
        latest = value
        next = (next + 1) % values.count
        count = min(count + 1, values.count)
    }

    /// The oldest value still kept.
    var oldest: Int64? { count == 0 ? nil : values[count < values.count ? 0 : next] }

    /// The values at these percentiles, as shares from 0 to 1 (nearest rank).
    package func percentiles(_ shares: [Double]) -> [Int64] {
        guard count > 0 else { return [] }
        let sorted = values.prefix(count).sorted()
        return shares.map { sorted[min(count - 1, max(0, Int((Double(count) * $0).rounded(.up)) - 1))] }
    }
}
