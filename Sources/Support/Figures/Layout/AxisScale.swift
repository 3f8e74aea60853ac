internal import ReportKit

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An axis with its range: maps values to shares of its length.
struct AxisScale: Equatable {
    let scale: Axis.Scale
    /// In units of the scale (decades for a logarithm).
    let low: Double
    let high: Double

    /// - Parameter values: the data on it; values that the scale cannot show are ignored.
    init(_ axis: Axis, values: some Sequence<Double>) {
        scale = axis.scale
        let scale = axis.scale
        var least = Double.infinity
        var most = -Double.infinity
        for value in axis.range.map({ [$0.lowerBound, $0.upperBound] }) ?? Array(values) {
            guard let measure = Self.measure(value, scale) else { continue }
            least = min(least, measure)
            most = max(most, measure)
        }
        if axis.range == nil, scale == .tail { least = min(least, 0) }
        if !least.isFinite || !most.isFinite { (least, most) = (0, 1) }
        // Beyond that, differences are lost in rounding.
        (least, most) = (max(least, -1e15), min(most, 1e15))
        if most - least < max(abs(least), abs(most), 1e-9) * 1e-9 {
            let half = max(abs(least) * 0.1, 0.5)
            (least, most) = (least - half, most + half)
        } else if axis.range == nil, scale != .tail {
            let margin = (most - least) * 0.04
            (least, most) = (least - margin, most + margin)
        }
        low = least
        high = most
    }

    init(scale: Axis.Scale, low: Double, high: Double) {
        self.scale = scale
        self.low = low
        self.high = high
    }

    /// The position along the axis: 0 to 1 within the range; `nil` for a value that the scale cannot show.
    func share(_ value: Double) -> Double? {
        Self.measure(value, scale).map { ($0 - low) / (high - low) }
    }

    private static func measure(_ value: Double, _ scale: Axis.Scale) -> Double? {
        guard value.isFinite else { return nil }
        switch scale {
        case .linear: return value
        case .logarithmic: return value > 0 ? log10(value) : nil
        case .tail: return -log10(max(1 - max(value, 0), 1e-9))
        }
    }

    /// Positions and labels of the ticks, at most about `count`.
    func ticks(_ count: Int) -> [Axis.Tick] {
        switch scale {
        case .linear: return evenTicks(count)
        case .logarithmic:
            let (first, last) = (Int(saturating: low.rounded(.up)), Int(saturating: high.rounded(.down)))
            guard last > first else {
                let even = AxisScale(scale: .linear, low: pow(10, low), high: pow(10, high))
                return even.evenTicks(count)
            }
            let step = max(1, (last - first + count) / max(1, count))
            return stride(from: first, through: last, by: step).map { Axis.Tick(pow(10, Double($0)), Self.power($0)) }
        case .tail:
            let all = [0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999]
            return all.filter { (share($0) ?? 2) <= 1.0001 }.map { Axis.Tick($0, TickText.shortest($0)) }
        }
    }

    private func evenTicks(_ count: Int) -> [Axis.Tick] {
        let rough = (high - low) / Double(max(1, count))
        let decade = pow(10, log10(rough).rounded(.down))
        let step = [1, 2, 5, 10].map { $0 * decade }.first { $0 >= rough } ?? rough
        let decimals = max(0, Int(saturating: (-log10(step)).rounded(.up)))
        let (first, last) = ((low / step).rounded(.up), (high / step).rounded(.down))
        guard last >= first, last - first < 100 else { return [] }
        return stride(from: first, through: last, by: 1).map {
            Axis.Tick($0 * step, TickText.fixed($0 * step, decimals: min(decimals, 9)))
        }
    }

    private static func power(_ exponent: Int) -> String {
        switch exponent {
        case 0...4: TickText.fixed(pow(10, Double(exponent)), decimals: 0)
        case -3 ... -1: TickText.fixed(pow(10, Double(exponent)), decimals: -exponent)
        default: "1e\(exponent)"
        }
    }
}

/// Number formats of a chart, the same on every machine.
enum TickText {
    static func fixed(_ value: Double, decimals: Int) -> String {
        let factor = pow(10, Double(decimals))
        let scaled = (value * factor).rounded()
        guard abs(scaled) < 9e15 else { return "\(value)" }
        let whole = Int64(saturating: scaled)
        let digits = String(whole.magnitude)
        let sign = whole < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }

    static func shortest(_ value: Double) -> String {
        value == value.rounded() ? fixed(value, decimals: 0) : "\(value)"
    }
}
