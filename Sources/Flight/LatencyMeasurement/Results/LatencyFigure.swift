internal import ReportKit
package import Statistics

/// Figures of the laboratory as text, the same in tables, on pages and on the screen.
package enum LatencyFigure {
    /// How many independent samples would say as much of the median; empty where that is not known.
    package static func effective(_ series: SeriesSummary) -> String {
        series.effectiveCount.map { $0.formatted(decimals: $0 < 10 ? 1 : 0) } ?? ""
    }

    /// The interval of the median as milliseconds, `lost` for an end among the lost samples; empty where there is none.
    package static func interval(_ series: SeriesSummary) -> String {
        func end(_ nanoseconds: Double) -> String { nanoseconds.isFinite ? milliseconds(nanoseconds) : lost }
        return series.medianInterval.map { "\(end($0.low)) to \(end($0.high))" } ?? ""
    }

    /// A percentile as milliseconds; `lost` where it lies among the lost samples, empty where the run is too short.
    package static func text(_ percentile: Percentile, of quantiles: [SeriesSummary.Quantile]) -> String {
        guard let quantile = quantiles.first(where: { $0.percentile == percentile }) else { return "" }
        return quantile.nanoseconds.map { milliseconds(Double($0)) } ?? lost
    }

    private static let lost = "lost"

    /// Nanoseconds as milliseconds, with digits that fit the magnitude; empty for `nil`.
    package static func milliseconds(_ nanoseconds: Double?) -> String {
        guard let nanoseconds else { return "" }
        let value = nanoseconds / 1e6
        return value.formatted(decimals: abs(value) < 10 ? 3 : abs(value) < 100 ? 2 : 1)
    }
}
