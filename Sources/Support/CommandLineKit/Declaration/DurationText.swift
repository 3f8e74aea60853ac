internal import ReportKit

/// Durations as users type and read them.
package enum DurationText {
    /// A suffix that ends with another one comes first: `ms` before `s`.
    private static let units: [(suffix: String, nanoseconds: Double)] = [
        ("min", 60e9), ("ms", 1e6), ("us", 1e3), ("ns", 1), ("s", 1e9), ("h", 3600e9),
    ]

    /// The maximum: beyond it a double no longer represents every nanosecond (104 days).
    private static let maximumNanoseconds = 9e15

    /// The duration; `nil` without a unit, without a number, or if it is negative or too long.
    package static func read(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
            let count = Double(decimal: text.dropLast(unit.suffix.count))
        else { return nil }
        let nanoseconds = (count * unit.nanoseconds).rounded()
        guard nanoseconds >= 0, nanoseconds <= maximumNanoseconds else { return nil }
        return .nanoseconds(Int64(nanoseconds))
    }

    /// The duration in the largest unit that gives a short number: `200ms`, `1.5s`, `2min`.
    package static func written(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        let (count, unit): (Double, String) =
            switch abs(seconds) {
            case 0: (0, "s")
            case ..<1e-6: (seconds * 1e9, "ns")
            case ..<1e-3: (seconds * 1e6, "us")
            case ..<1: (seconds * 1e3, "ms")
            case ..<120: (seconds, "s")
            case ..<7200: (seconds / 60, "min")
            default: (seconds / 3600, "h")
            }
        let rounded = (count * 1000).rounded() / 1000
        let text = rounded.description
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + unit
    }
}
