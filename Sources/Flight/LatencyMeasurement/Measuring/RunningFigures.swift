public import Statistics
internal import UAVLink

/// What a link has come to while it is still being measured. All times are nanoseconds.
public struct RunningFigures: Hashable, Sendable {
    /// The link's name, as in `--links`.
    public var link: String
    /// What was measured.
    public var kind: SeriesKind
    /// How many values.
    public var count: Int
    /// Those of p50, p90 and p99 that there are values enough for.
    public var quantiles: [SeriesSummary.Quantile]
    /// How many a second arrived; `nil` where there is no rate.
    public var hertz: Double?
    /// The share of what was to be sent that has no value, 0 to 1; `nil` of nothing.
    public var lostShare: Double?

    /// What a series has come to.
    ///
    /// - Parameter limit: what was intended later is left out, nanoseconds since the condition began: its notes may still be
    ///   on their way, and what has none counts as lost.
    public init?(_ link: String, _ kind: SeriesKind, _ series: LatencySeries, upTo limit: Int64 = .max) {
        let intended = series.samples.filter { $0.intendedNanoseconds <= limit }
        let samples = Samples(intended.compactMap(\.nanoseconds))
        guard !intended.isEmpty else { return nil }
        self.link = link
        self.kind = kind
        count = samples.count
        quantiles = [Percentile.p50, .p90, .p99].compactMap { percentile in
            samples.reported(percentile).map { .init(percentile: percentile, nanoseconds: $0) }
        }
        // Whatever stands in the series was to be sent, at its rate.
        let arrived = Double(samples.count) / Double(intended.count)
        lostShare = 1 - arrived
        hertz = kind == .steering ? series.intendedHertz.map { $0 * arrived } : series.achievedHertz
    }

    /// That percentile, where there are values enough.
    public func value(at percentile: Percentile) -> Int64? {
        quantiles.first { $0.percentile == percentile }?.nanoseconds
    }

    /// What a link has come to, a kind after the other.
    static func all(_ run: LinkRun, upTo limit: Int64 = .max) -> [RunningFigures] {
        SeriesKind.allCases.compactMap { kind in
            run.measured(kind).series.flatMap { RunningFigures(run.link, kind, $0, upTo: limit) }
        }
    }
}

/// When figures are worked out while links are measured: the more there is to count, the less often, so that it takes the same
/// share of the time however long a run is.
struct FigureBudget: Sendable {
    /// The share of the time that may go into them.
    static let share = 0.02
    private var next: MonotonicTime?

    init() {}

    /// Whether it is time again.
    func isDue(at now: MonotonicTime) -> Bool { next.map { now >= $0 } ?? true }

    /// They were worked out from one instant to another.
    mutating func took(from began: MonotonicTime, to ended: MonotonicTime) {
        next = ended + (ended - began) / Self.share
    }
}
