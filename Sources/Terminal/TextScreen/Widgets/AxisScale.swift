internal import ReportKit

/// The scale of an axis: it begins and ends at multiples of a round step, and contains all values.
public struct AxisScale: Hashable, Sendable {
    /// The beginning.
    public let low: Double
    /// The end; greater than the beginning.
    public let high: Double
    private let decimals: Int

    /// The scale for values that are finite and of at most 1e12; `nil` if there are none.
    ///
    /// - Parameter minimumSpan: the least span around the values, so that noise is not magnified.
    public init?(_ values: some Sequence<Double>, minimumSpan: Double) {
        let known = values.filter { $0.isFinite && $0.magnitude <= 1e12 }
        guard let least = known.min(), let most = known.max() else { return nil }
        let span = max(most - least, minimumSpan, most.magnitude * 1e-9, 1e-9)
        let margin = (span - (most - least)) / 2
        let step = Self.roundStep(span / 2)
        // What is never negative has no scale below zero.
        let lowest = least >= 0 ? max(0, least - margin) : least - margin
        low = (lowest / step).rounded(.down) * step
        high = max(((most + margin) / step).rounded(.up) * step, low + step)
        decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    }

    /// 1, 2 or 5 times a power of ten: the largest that is not above `most`.
    private static func roundStep(_ most: Double) -> Double {
        var power = 1.0
        while power * 10 <= most { power *= 10 }
        while power > most { power /= 10 }
        for factor in [5.0, 2.0] where power * factor <= most { return power * factor }
        return power
    }

    /// The share of the axis below a value: 0 at its beginning, 1 at its end.
    public func share(of value: Double) -> Double { (value - low) / (high - low) }

    /// A value of the axis, with as many decimals as its step needs.
    public func label(_ value: Double) -> String { value.formatted(decimals: decimals) }
}
