internal import LatencyStatistics
package import Statistics
internal import UAVLink

/// Intermediate figures of a link that is still being measured. All times are nanoseconds.
package struct RunningFigures: Hashable, Sendable {
    /// The link's name, as in `--links`.
    package var link: String
    /// What was measured.
    package var kind: SeriesKind
    /// How many values there are.
    package var count: Int
    /// Those of p50, p90 and p99, of all that was intended, for which there are enough samples.
    package var quantiles: [SeriesSummary.Quantile]
    /// The rate that arrived, hertz; `nil` where there is none.
    package var hertz: Double?
    /// The share of scheduled samples without a value, 0 to 1; `nil` if that is not known.
    package var lostShare: Double?

    /// The figures of a series, without the first samples of turns, as in the final ones.
    ///
    /// - Parameter limit: what was scheduled later is left out, nanoseconds since the condition began: its records may still
    ///   be in transit, and without a record it counts as lost.
    package init?(_ link: String, _ kind: SeriesKind, _ series: LatencySeries, upTo limit: Int64 = .max) {
        let intended = series.samples.filter { !$0.isCold && $0.intendedNanoseconds <= limit }
        let samples = Samples(intended.compactMap(\.nanoseconds))
        guard !intended.isEmpty else { return nil }
        self.link = link
        self.kind = kind
        count = samples.count
        let whole = IntendedSamples(delivered: samples, intended: intended.count)
        quantiles = [Percentile.p50, .p90, .p99].compactMap { SeriesSummary.Quantile($0, of: whole) }
        // Everything in the series was scheduled, at its rate.
        let arrived = Double(samples.count) / Double(intended.count)
        lostShare = series.hasArrivalsOnly ? nil : 1 - arrived
        hertz = kind == .steering ? series.intendedHertz.map { $0 * arrived } : series.achievedHertz
    }

    /// The value at a percentile; `nil` if there are not enough samples, or where it was lost.
    package func value(at percentile: Percentile) -> Int64? {
        quantiles.first { $0.percentile == percentile }?.nanoseconds
    }

    /// The value at a percentile as milliseconds; `lost` where it was lost, empty if there are not enough samples.
    package func text(at percentile: Percentile) -> String { LatencyFigure.text(percentile, of: quantiles) }

    /// The figures of a link, one for each kind.
    static func all(_ run: LinkRun, upTo limit: Int64 = .max) -> [RunningFigures] {
        SeriesKind.allCases.compactMap { kind in
            run.measured(kind).series.flatMap { RunningFigures(run.link, kind, $0, upTo: limit) }
        }
    }
}

/// Limits how often figures are computed while links are measured: the longer it takes, the less often, so that its share of
/// the time stays the same however long a run is.
struct FigureBudget: Sendable {
    /// The share of the time that computing figures may take.
    static let share = 0.02
    private var next: MonotonicTime?

    init() {}

    /// Whether figures are due again.
    func isDue(at now: MonotonicTime) -> Bool { next.map { now >= $0 } ?? true }

    /// Notes how long the last computation took.
    mutating func took(from began: MonotonicTime, to ended: MonotonicTime) {
        next = ended + (ended - began) / Self.share
    }
}
