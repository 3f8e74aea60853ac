internal import Statistics

/// How many samples of each round are no greater than each of some values: the median of any resample of rounds follows
/// from it by bisection, without sorting.
struct CountTable: Sendable {
    /// Possible medians in ascending order.
    private let grid: [Int64]
    /// For each of them, the counts of all clusters, one after the other.
    private let counts: [Int]
    private let intended: [Int]

    /// More values than this are thinned evenly by rank: a median is then within a four-thousandth of its rank.
    private static let mostValues = 4096

    init(_ values: RoundValues) {
        intended = values.rounds.map(\.intended)
        grid = Self.thinned(values.rounds.flatMap(\.sorted).sorted())
        let sorted = values.rounds.map { Samples(ascending: $0.sorted) }
        var counts: [Int] = []
        counts.reserveCapacity(grid.count * sorted.count)
        for value in grid {
            for round in sorted { counts.append(round.count(upTo: value)) }
        }
        self.counts = counts
    }

    var clusters: Int { intended.count }

    private static func thinned(_ sorted: [Int64]) -> [Int64] {
        let places =
            sorted.count <= mostValues
            ? Array(sorted.indices) : (1...mostValues).map { $0 * sorted.count / mostValues - 1 }
        var values: [Int64] = []
        for place in places where values.last != sorted[place] { values.append(sorted[place]) }
        return values
    }

    /// The median where each cluster occurs so often, by nearest rank; infinite where it was lost.
    func median(of weights: [Int]) -> Double {
        let total = zip(weights, intended).reduce(0) { $0 + $1.0 * $1.1 }
        let rank = Percentile.p50.rank(of: total)
        var (low, high) = (0, grid.count)
        while low < high {
            let middle = (low + high) / 2
            var sum = 0
            for cluster in weights.indices { sum += weights[cluster] * counts[middle * weights.count + cluster] }
            if sum >= rank { high = middle } else { low = middle + 1 }
        }
        return low < grid.count ? Double(grid[low]) : .infinity
    }
}
