/// Counts values in buckets of constant relative width, as Gil Tene's HdrHistogram does: three significant digits for
/// every value, in bounded memory, for any range.
public struct HDRHistogram: Hashable, Sendable {
    /// The largest distinguishable value; larger ones are counted as this one.
    public let greatest: Int64
    /// The counts of all buckets.
    private(set) var counts: [Int64]
    /// The number of values.
    public private(set) var total: Int64 = 0
    /// The number of values larger than ``greatest``.
    public private(set) var overflowCount: Int64 = 0

    /// Significant digits: with three, a value is known to within a thousandth.
    static let significantDigits = 3
    /// The smallest power of two that is at least 2 * 10^3.
    static let subBucketCount = 2048
    static let halfCount = subBucketCount / 2
    static let halfCountMagnitude = 10

    /// An hour in nanoseconds: no round trip of interest takes longer.
    public static let hour: Int64 = 3_600_000_000_000

    /// Creates an empty histogram for values of 1 to `greatest` (at least 2,048).
    public init(greatest: Int64 = hour) {
        self.greatest = max(greatest, Int64(Self.subBucketCount))
        counts = Array(repeating: 0, count: Self.length(upTo: self.greatest))
    }

    /// The number of counts of a histogram up to this value.
    static func length(upTo greatest: Int64) -> Int {
        var buckets = 1
        var limit = Int64(subBucketCount)
        while limit <= greatest {
            buckets += 1
            guard limit <= Int64.max / 2 else { break }
            limit <<= 1
        }
        return (buckets + 1) * halfCount
    }

    /// Counts a value; a negative one counts as 0.
    public mutating func record(_ value: Int64, times: Int64 = 1) {
        guard times > 0 else { return }
        if value > greatest { overflowCount += times }
        counts[Self.index(of: min(max(value, 0), greatest))] += times
        total += times
    }

    /// The index of the count for a value.
    static func index(of value: Int64) -> Int {
        let bucket = 64 - (UInt64(bitPattern: value) | UInt64(subBucketCount - 1)).leadingZeroBitCount - 11
        let sub = Int(value >> Int64(bucket))
        return ((bucket + 1) << halfCountMagnitude) + sub - halfCount
    }

    /// The smallest value of a count.
    static func value(at index: Int) -> Int64 {
        var bucket = (index >> halfCountMagnitude) - 1
        var sub = (index & (halfCount - 1)) + halfCount
        if bucket < 0 {
            sub -= halfCount
            bucket = 0
        }
        return Int64(sub) << Int64(bucket)
    }

    /// The largest value in the same count as this one.
    static func highestEquivalentValue(_ value: Int64) -> Int64 {
        let bucket = 64 - (UInt64(bitPattern: value) | UInt64(subBucketCount - 1)).leadingZeroBitCount - 11
        return ((value >> Int64(bucket)) << Int64(bucket)) + (Int64(1) << Int64(bucket)) - 1
    }

    /// The smallest value not exceeded by at least this share of all values, to three digits; `nil` if empty.
    public func value(at percentile: Percentile) -> Int64? {
        guard total > 0 else { return nil }
        let rank = Int64(percentile.rank(of: Int(total)))
        var seen: Int64 = 0
        for (index, count) in counts.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return Self.highestEquivalentValue(Self.value(at: index)) }
        }
        return nil
    }

}
