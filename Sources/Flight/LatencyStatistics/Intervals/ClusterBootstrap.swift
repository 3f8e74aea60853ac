package import Statistics

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Confidence intervals of 95 percent for a median, and for the ratio of two, by resampling whole rounds with
/// replacement (the cluster bootstrap: Davison and Hinkley, Bootstrap Methods, 1997, section 3.8).
///
/// The samples of a turn depend on each other, since a stall affects many of them; rounds do not. Percentiles are
/// expanded as by Hesterberg (What Teachers Should Know About the Bootstrap, 2015, section 4.2): without that the
/// interval of few rounds is too narrow. Blocks within a turn are not resampled besides: by simulation the interval of
/// ten rounds then covers 98 to 100 percent. Lost samples are infinite, and so is an end of the interval that lies
/// among them.
package struct ClusterBootstrap: Sendable {
    /// The number of resamples.
    private let draws: Int
    private let seed: UInt64

    /// Fewer rounds give no interval: the variance between them is not known well enough.
    package static let minimumRounds = 10
    /// More rounds than this are put together in consecutive groups; the interval becomes no better by more of them.
    private static let mostClusters = 512
    /// 97.5 percent of the normal distribution.
    private static let normalQuantile = 1.959_963_985

    /// Creates a bootstrap; the same seed gives the same intervals.
    package init(draws: Int = 2000, seed: UInt64 = 0x5EED) {
        self.draws = max(1, draws)
        self.seed = seed
    }

    /// The interval of the median of all that was intended; `nil` for fewer than ten rounds.
    package func median(_ values: RoundValues) -> Bootstrap.Interval? {
        guard values.count >= Self.minimumRounds else { return nil }
        let table = CountTable(values.merged(atMost: Self.mostClusters))
        return interval(clusters: table.clusters) { table.median(of: $0) }
    }

    /// The interval of the ratio of two medians, the first over the second, paired by round: both are resampled by the
    /// same rounds, so that what slowed both down cancels out. `nil` for fewer than ten rounds in which both have
    /// samples, and if the second can be zero or less, or both lost.
    package func ratioOfMedians(_ first: RoundValues, over second: RoundValues) -> Bootstrap.Interval? {
        let pair = RoundValues.paired(first, second)
        guard pair.0.count >= Self.minimumRounds else { return nil }
        let (above, below) = (
            CountTable(pair.0.merged(atMost: Self.mostClusters)), CountTable(pair.1.merged(atMost: Self.mostClusters))
        )
        return interval(clusters: above.clusters) { weights in
            let divisor = below.median(of: weights)
            return divisor > 0 ? above.median(of: weights) / divisor : .nan
        }
    }

    private func interval(clusters: Int, _ statistic: ([Int]) -> Double) -> Bootstrap.Interval? {
        var random = SeededRandom(seed: seed)
        var results: [Double] = []
        results.reserveCapacity(draws)
        for _ in 0..<draws {
            var weights = [Int](repeating: 0, count: clusters)
            for _ in 0..<clusters { weights[Int.random(in: 0..<clusters, using: &random)] += 1 }
            let result = statistic(weights)
            if result.isNaN { return nil }
            results.append(result)
        }
        results.sort()
        let tail = Self.tail(clusters: clusters)
        func at(_ share: Double) -> Double {
            let rank = (share * Double(draws)).rounded(.up)
            return results[min(draws - 1, max(0, (Int(exactly: rank) ?? draws) - 1))]
        }
        return Bootstrap.Interval(low: at(tail), high: at(1 - tail))
    }

    /// The share of resamples beyond each end: 2.5 percent for many clusters, less for few.
    static func tail(clusters: Int) -> Double {
        let z = normalQuantile
        let freedom = Double(max(1, clusters - 1))
        // Student's quantile by Abramowitz and Stegun 26.7.5: within 0.0003 for nine degrees of freedom.
        let first = (pow(z, 3) + z) / 4
        let second = (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / 96
        let third = (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / 384
        let student = z + first / freedom + second / pow(freedom, 2) + third / pow(freedom, 3)
        let expanded = student * (Double(clusters) / freedom).squareRoot()
        return 0.5 * erfc(expanded / 2.0.squareRoot())
    }
}
