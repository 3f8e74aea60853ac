/// Measured values in their order of size, and what they say together. The unit is the caller's (nanoseconds, mostly).
///
/// Percentiles are by nearest rank (numpy's `inverted_cdf`): a value that was measured, never one between two.
public struct Samples: Hashable, Sendable {
    /// The values, the smallest first.
    public let sorted: [Int64]

    /// These values, in any order.
    public init(_ values: [Int64]) { sorted = values.sorted() }

    init(sorted: [Int64]) { self.sorted = sorted }

    /// How many.
    public var count: Int { sorted.count }
    /// The smallest; `nil` of nothing.
    public var minimum: Int64? { sorted.first }
    /// The largest; `nil` of nothing.
    public var maximum: Int64? { sorted.last }

    /// The arithmetic mean; `nil` of nothing.
    public var mean: Double? {
        guard !sorted.isEmpty else { return nil }
        // Summed as doubles: the sum of many large integers could overflow.
        return sorted.reduce(0.0) { $0 + Double($1) } / Double(count)
    }

    /// The standard deviation of the sample (n - 1); `nil` of fewer than two.
    public var standardDeviation: Double? {
        guard count > 1, let mean else { return nil }
        let squares = sorted.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        return (squares / Double(count - 1)).squareRoot()
    }

    /// The middle value; `nil` of nothing.
    public var median: Int64? { value(at: .p50) }

    /// The smallest value that at least this share of all does not exceed; `nil` of nothing.
    ///
    /// It says nothing of whether the run was long enough: see ``reported(_:)``.
    public func value(at percentile: Percentile) -> Int64? {
        guard !sorted.isEmpty else { return nil }
        return sorted[percentile.rank(of: count) - 1]
    }

    /// The percentile where the run is long enough for it to mean something, `nil` where it is not.
    public func reported(_ percentile: Percentile) -> Int64? {
        count >= percentile.leastCount ? value(at: percentile) : nil
    }

    /// The share of values that do not exceed this one, 0 to 1.
    public func share(upTo value: Int64) -> Double {
        guard !sorted.isEmpty else { return 0 }
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return Double(low) / Double(count)
    }
}
