/// Counts of values in buckets of a constant relative width, as Gil Tene's HdrHistogram has them: every value to
/// three significant digits, in bounded memory, whatever the range.
public struct HDRHistogram: Hashable, Sendable {
    /// The greatest value that can be told from others; greater ones are counted as it.
    public let greatest: Int64
    /// The counts of all buckets.
    private(set) var counts: [Int64]
    /// How many values.
    public private(set) var total: Int64 = 0
    /// How many values were greater than ``greatest``.
    public private(set) var tooGreat: Int64 = 0

    /// Digits that are kept: three, so that a value is known within a thousandth.
    static let significantDigits = 3
    /// The smallest power of two that holds 2 * 10^3 different values.
    static let subBucketCount = 2048
    static let halfCount = subBucketCount / 2
    static let halfCountMagnitude = 10

    /// An hour in nanoseconds: no answer that is worth counting takes longer.
    public static let hour: Int64 = 3_600_000_000_000

    /// An empty histogram for values of 1 to `greatest` (at least 2,048).
    public init(greatest: Int64 = hour) {
        self.greatest = max(greatest, Int64(Self.subBucketCount))
        counts = Array(repeating: 0, count: Self.length(upTo: self.greatest))
    }

    /// How many counts a histogram up to this value has.
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

    /// Counts a value; a negative one as 0.
    public mutating func record(_ value: Int64, times: Int64 = 1) {
        guard times > 0 else { return }
        if value > greatest { tooGreat += times }
        counts[Self.index(of: min(max(value, 0), greatest))] += times
        total += times
    }

    /// Which count a value belongs to.
    static func index(of value: Int64) -> Int {
        let bucket = 64 - (UInt64(bitPattern: value) | UInt64(subBucketCount - 1)).leadingZeroBitCount - 11
        let sub = Int(value >> Int64(bucket))
        return ((bucket + 1) << halfCountMagnitude) + sub - halfCount
    }

    /// The smallest value that a count stands for.
    static func value(at index: Int) -> Int64 {
        var bucket = (index >> halfCountMagnitude) - 1
        var sub = (index & (halfCount - 1)) + halfCount
        if bucket < 0 {
            sub -= halfCount
            bucket = 0
        }
        return Int64(sub) << Int64(bucket)
    }

    /// The greatest value that counts the same as this one.
    static func greatestEquivalent(_ value: Int64) -> Int64 {
        let bucket = 64 - (UInt64(bitPattern: value) | UInt64(subBucketCount - 1)).leadingZeroBitCount - 11
        return ((value >> Int64(bucket)) << Int64(bucket)) + (Int64(1) << Int64(bucket)) - 1
    }

    /// The value that at least this share of all does not exceed, to three digits; `nil` of nothing.
    public func value(at percentile: Percentile) -> Int64? {
        guard total > 0 else { return nil }
        let rank = Int64(percentile.rank(of: Int(total)))
        var seen: Int64 = 0
        for (index, count) in counts.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return Self.greatestEquivalent(Self.value(at: index)) }
        }
        return nil
    }

}
