/// How sure one can be of a median, and of the ratio of two, by drawing the sample again from itself (percentile bootstrap,
/// Efron 1979).
///
/// It takes the values for independent. Latencies of one link are not quite that (a stall holds several), so the interval is
/// a little too narrow where stalls are long against the run.
public struct Bootstrap: Sendable {
    /// Between these the true value lies with the confidence asked for.
    public struct Interval: Hashable, Sendable {
        /// The lower end.
        public var low: Double
        /// The upper end.
        public var high: Double

        /// An interval.
        public init(low: Double, high: Double) {
            self.low = low
            self.high = high
        }
    }

    /// How often the sample is drawn again.
    public var rounds: Int
    /// How sure: 0.95 leaves out one true value of twenty.
    public var confidence: Double
    private let seed: UInt64

    /// A bootstrap whose draws follow from the seed: the same run gives the same interval.
    public init(rounds: Int = 2000, confidence: Double = 0.95, seed: UInt64 = 0x5EED) {
        self.rounds = max(1, rounds)
        self.confidence = min(max(confidence, 0), 1)
        self.seed = seed
    }

    /// Of the median; `nil` of fewer than ten values, which say too little.
    public func median(_ samples: Samples) -> Interval? {
        guard samples.count >= Self.leastCount else { return nil }
        var random = SeededRandom(seed: seed)
        return interval((0..<rounds).map { _ in redrawnMedian(of: samples, using: &random) })
    }

    /// Of the ratio of two medians, the first over the second; `nil` where either has fewer than ten values or the second's
    /// median can be zero.
    public func ratioOfMedians(_ first: Samples, over second: Samples) -> Interval? {
        guard first.count >= Self.leastCount, second.count >= Self.leastCount, second.sorted[0] > 0 else { return nil }
        var random = SeededRandom(seed: seed)
        return interval(
            (0..<rounds).map { _ in
                redrawnMedian(of: first, using: &random) / redrawnMedian(of: second, using: &random)
            })
    }

    /// Fewer say too little for an interval.
    public static let leastCount = 10

    /// The median of as many values as there are, drawn with replacement.
    ///
    /// Drawing n values and sorting them is not needed: the k-th smallest of n uniform numbers follows a beta distribution
    /// (k, n - k + 1), and where it falls in the sorted sample is the value that the k-th smallest draw has.
    private func redrawnMedian(of samples: Samples, using random: inout SeededRandom) -> Double {
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
