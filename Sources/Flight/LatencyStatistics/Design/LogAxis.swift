#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A logarithmic axis, for values that differ by orders of magnitude.
package struct LogAxis: Hashable, Sendable {
    /// The ends of the axis.
    package let range: ClosedRange<Double>

    /// An axis that holds all positive values, its ends at 1, 2 or 5 times a power of ten; `nil` if there is none.
    package init?(_ values: some Sequence<Double>) {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        guard let least = positive.min(), let most = positive.max() else { return nil }
        let low = Self.step(atMost: least)
        let high = Self.step(atLeast: most)
        range = low...(high > low ? high : low * 10)
    }

    /// The position of a value, 0 to 1; values that are not positive are at 0.
    package func share(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        return log10(value / range.lowerBound) / log10(range.upperBound / range.lowerBound)
    }

    /// The tick values: 1, 2 and 5 of each power of ten, or only the powers where those would be too many.
    package func ticks(atMost count: Int) -> [Double] {
        for steps in [[1.0, 2, 5], [1]] {
            var ticks: [Double] = []
            var power = pow(10, floor(log10(range.lowerBound) + 1e-9))
            while power <= range.upperBound * (1 + 1e-9) {
                ticks += steps.map { $0 * power }.filter {
                    $0 >= range.lowerBound * (1 - 1e-9) && $0 <= range.upperBound * (1 + 1e-9)
                }
                power *= 10
            }
            if ticks.count <= count || steps.count == 1 { return ticks }
        }
        return []
    }

    private static func step(atMost value: Double) -> Double {
        let power = pow(10, floor(log10(value)))
        return [5.0, 2, 1].map { $0 * power }.first { $0 <= value } ?? power
    }

    private static func step(atLeast value: Double) -> Double {
        let power = pow(10, floor(log10(value)))
        return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? power * 10
    }
}
