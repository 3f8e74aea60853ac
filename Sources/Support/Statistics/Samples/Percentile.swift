/// A percentile, in thousandths of a percent so that 99.9 and 99.99 are exact.
public struct Percentile: Hashable, Sendable, CustomStringConvertible {
    /// Thousandths of a percent: 50,000 is the median.
    public let thousandths: Int

    /// A percentile of 0.001 to 100 percent; `nil` outside of it.
    public init?(thousandths: Int) {
        guard (1...100_000).contains(thousandths) else { return nil }
        self.thousandths = thousandths
    }

    private init(known thousandths: Int) { self.thousandths = thousandths }

    /// The median.
    public static let p50 = Self(known: 50_000)
    /// Nine of ten are no greater.
    public static let p90 = Self(known: 90_000)
    /// 99 of a hundred are no greater.
    public static let p99 = Self(known: 99_000)
    /// 999 of a thousand are no greater.
    public static let p999 = Self(known: 99_900)
    /// 9,999 of ten thousand are no greater.
    public static let p9999 = Self(known: 99_990)
    /// The percentiles in a report.
    public static let usual = [p50, p90, p99, p999, p9999]

    /// The minimum number of values for reporting this percentile.
    ///
    /// By the rule of three: of 3 / (1 - p) values at least one lies beyond the true percentile with a probability of
    /// 95 percent. With fewer, the printed value would often be that of a lower percentile.
    public var minimumCount: Int {
        guard thousandths < 100_000 else { return 1 }
        let beyond = 100_000 - thousandths
        return (3 * 100_000 + beyond - 1) / beyond
    }

    /// The rank of this percentile's value among `count` values, from 1.
    public func rank(of count: Int) -> Int {
        let (whole, rest) = count.quotientAndRemainder(dividingBy: 100_000)
        return max(1, whole * thousandths + (rest * thousandths + 99_999) / 100_000)
    }

    /// The usual notation: `p50`, `p99.9`.
    public var description: String {
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return "p\(whole)" }
        var digits = String(rest + 1000).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "p\(whole).\(digits)"
    }
}
