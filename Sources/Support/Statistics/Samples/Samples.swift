/// Measured values in ascending order, and their statistics. The unit is the caller's (mostly nanoseconds).
///
/// Percentiles are by nearest rank (numpy's `inverted_cdf`): always a measured value, never interpolated.
public struct Samples: Hashable, Sendable {
    /// The values in ascending order.
    public let sorted: [Int64]

    /// Creates samples from values in any order.
    public init(_ values: [Int64]) { sorted = values.sorted() }

    /// Samples that are in ascending order already.
    public init(ascending sorted: [Int64]) { self.sorted = sorted }

    /// The number of values.
    public var count: Int { sorted.count }
    /// The smallest value; `nil` if empty.
    public var minimum: Int64? { sorted.first }
    /// The largest value; `nil` if empty.
    public var maximum: Int64? { sorted.last }

    /// The arithmetic mean; `nil` if empty.
    public var mean: Double? {
        guard !sorted.isEmpty else { return nil }
        // Summed as doubles: the sum of many large integers could overflow.
        return sorted.reduce(0.0) { $0 + Double($1) } / Double(count)
    }

    /// The standard deviation of the sample (n - 1); `nil` for fewer than two values.
    public var standardDeviation: Double? {
        guard count > 1, let mean else { return nil }
        let squares = sorted.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        return (squares / Double(count - 1)).squareRoot()
    }

    /// The median; `nil` if empty.
    public var median: Int64? { value(at: .p50) }

    /// The smallest value not exceeded by at least this share of all values; `nil` if empty.
    ///
    /// It does not check that the run was long enough: see ``reported(_:)``.
    public func value(at percentile: Percentile) -> Int64? {
        guard !sorted.isEmpty else { return nil }
        return sorted[percentile.rank(of: count) - 1]
    }

    /// The percentile; `nil` if there are too few values for it to be meaningful.
    public func reported(_ percentile: Percentile) -> Int64? {
        count >= percentile.minimumCount ? value(at: percentile) : nil
    }

    /// The share of values not larger than this one, 0 to 1.
    public func share(upTo value: Int64) -> Double {
        sorted.isEmpty ? 0 : Double(count(upTo: value)) / Double(count)
    }

    /// How many values are not larger than this one.
    public func count(upTo value: Int64) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
