/// Confidence intervals of a median, and of the ratio of two, by resampling (percentile bootstrap, Efron 1979).
///
/// Values are assumed to be independent. Latencies of one link are not, since a stall affects many: of these the interval covers
/// less than half of what it claims, and `ClusterBootstrap` of LatencyStatistics takes its place.
public struct Bootstrap: Sendable {
    /// The interval that contains the true value with the given confidence.
    public struct Interval: Hashable, Sendable {
        /// The lower end.
        public var low: Double
        /// The upper end.
        public var high: Double

        /// Creates an interval.
        public init(low: Double, high: Double) {
            self.low = low
            self.high = high
        }
    }

    /// The number of resamples.
    public var rounds: Int
    /// The confidence: 0.95 misses one true value in twenty.
    public var confidence: Double
    private let seed: UInt64

    /// Creates a bootstrap; the same seed gives the same intervals.
    public init(rounds: Int = 2000, confidence: Double = 0.95, seed: UInt64 = 0x5EED) {
        self.rounds = max(1, rounds)
        self.confidence = min(max(confidence, 0), 1)
        self.seed = seed
    }

    /// The interval of the median; `nil` for fewer than ten values.
    public func median(_ samples: Samples) -> Interval? {
        guard samples.count >= Self.minimumCount else { return nil }
        var random = SeededRandom(seed: seed)
        return interval((0..<rounds).map { _ in resampledMedian(of: samples, using: &random) })
    }

    /// The interval of the ratio of two medians, the first over the second; `nil` if either has fewer than ten values
    /// or the second has a value of zero or less.
    public func ratioOfMedians(_ first: Samples, over second: Samples) -> Interval? {
        guard first.count >= Self.minimumCount, second.count >= Self.minimumCount, second.sorted[0] > 0 else {
            return nil
        }
        var random = SeededRandom(seed: seed)
        return interval(
            (0..<rounds).map { _ in
                resampledMedian(of: first, using: &random) / resampledMedian(of: second, using: &random)
            })
    }

    /// The minimum number of values for an interval.
    public static let minimumCount = 10

    /// The median of a resample of the same size, drawn with replacement.
    ///
    /// Drawing n values and sorting them is not needed: the k-th smallest of n uniform numbers follows a beta
    /// distribution (k, n - k + 1), and its position in the sorted sample gives the k-th smallest draw.
    private func resampledMedian(of samples: Samples, using random: inout SeededRandom) -> Double {
        let count = samples.count
        let rank = Percentile.p50.rank(of: count)
        let share = random.beta(Double(rank), Double(count - rank + 1))
        return Double(samples.sorted[min(count - 1, Int(share * Double(count)))])
    }

    private func interval(_ draws: [Double]) -> Interval {
        let sorted = draws.sorted()
        let tail = (1 - confidence) / 2
        func at(_ share: Double) -> Double {
            sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
        }
        return Interval(low: at(tail), high: at(1 - tail))
    }
}
