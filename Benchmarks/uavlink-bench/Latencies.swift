/// How long one operation took, many times over.
///
/// Percentiles are by nearest rank: a value that was measured, never one between two. The 99th of ten is the largest.
struct Latencies: Sendable {
    private(set) var sorted: [Int64]

    init(nanoseconds: [Int64]) { sorted = nanoseconds.sorted() }

    var count: Int { sorted.count }
    var median: Double { percentile(50) }
    var largest: Double { Double(sorted.last ?? 0) }

    /// In nanoseconds; 0 when nothing was measured.
    func percentile(_ percent: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        // Rounded first: 99.9 / 100 * 1000 is a little more than 999.
        let rank = (percent * Double(sorted.count) / 100 * 1e6).rounded() / 1e6
        let index = Int(rank.rounded(.up)) - 1
        return Double(sorted[min(max(index, 0), sorted.count - 1)])
    }
}
