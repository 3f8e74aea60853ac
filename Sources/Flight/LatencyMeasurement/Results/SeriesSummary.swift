public import Statistics

/// What a series says in figures. All times are nanoseconds.
public struct SeriesSummary: Hashable, Sendable {
    /// A percentile that the run is long enough for.
    public struct Quantile: Hashable, Sendable {
        /// Which.
        public var percentile: Percentile
        /// The value, nanoseconds.
        public var nanoseconds: Int64
    }

    /// The mean time of a stage, nanoseconds.
    public struct StageShare: Hashable, Sendable {
        /// Which.
        public var stage: LatencyStage
        /// The mean over the samples that have stages, nanoseconds: the sum of all stages is the mean of the whole.
        public var meanNanoseconds: Double
    }

    /// The values in their order of size.
    public let samples: Samples
    /// Those percentiles of p50 to p99.99 that the run is long enough for.
    public let quantiles: [Quantile]
    /// Where the true median lies, with a confidence of 95 percent; `nil` of fewer than ten values.
    public let medianInterval: Bootstrap.Interval?
    /// Jitter by RFC 3550 at the end of the run, nanoseconds; `nil` of fewer than two values.
    public let rfc3550Jitter: Double?
    /// How much the delays of neighbours differ (RFC 3393, without signs), nanoseconds.
    public let delayVariation: Samples
    /// Where the time went on the average; empty when the link cannot tell.
    public let stages: [StageShare]
    /// What was sent and what became of it.
    public let traffic: LatencySeries.Traffic
    /// How the clocks stood.
    public let clock: LatencySeries.ClockRelation
    /// How many a second were intended.
    public let intendedHertz: Double?
    /// How many a second arrived.
    public let achievedHertz: Double?
    /// How many at the beginning were left out.
    public let warmUpDropped: Int

    /// The figures of a series.
    public init(_ series: LatencySeries, bootstrap: Bootstrap = Bootstrap()) {
        let samples = Samples(series.samples.compactMap(\.nanoseconds))
        self.samples = samples
        quantiles = Percentile.usual.compactMap { percentile in
            samples.reported(percentile).map { Quantile(percentile: percentile, nanoseconds: $0) }
        }
        medianInterval = bootstrap.median(samples)
        // Intended instants are what RFC 3550 calls timestamps; neighbours are those that arrived one after the other.
        let arrivals = series.samples.compactMap { sample in
            sample.nanoseconds.map { (at: sample.intendedNanoseconds &+ $0, transit: $0) }
        }.sorted { $0.at < $1.at }
        var jitter = Jitter()
        for arrival in arrivals { jitter.arrive(transit: arrival.transit) }
        rfc3550Jitter = arrivals.count > 1 ? jitter.rfc3550 : nil
        delayVariation = Samples(jitter.delayVariation.map { abs($0) })
        stages = Self.shares(series.samples)
        traffic = series.traffic
        clock = series.clock
        intendedHertz = series.intendedHertz
        achievedHertz = series.achievedHertz
        warmUpDropped = series.warmUpDropped
    }

    /// How many values.
    public var count: Int { samples.count }

    /// That percentile, where the run is long enough.
    public func value(at percentile: Percentile) -> Int64? {
        quantiles.first { $0.percentile == percentile }?.nanoseconds
    }

    /// The highest percentile up to p99 that the run is long enough for; the greatest value of a run too short for any.
    public var usualWorst: (name: String, nanoseconds: Int64)? {
        let known = quantiles.last { $0.percentile.thousandths <= Percentile.p99.thousandths }
        if let known, known.percentile != .p50 { return (known.percentile.description, known.nanoseconds) }
        return samples.maximum.map { ("max", $0) }
    }

    /// Within what of the truth a one-way figure is, nanoseconds; `nil` where one clock saw both ends.
    public var boundNanoseconds: Int64? {
        if case .measured(_, let bound) = clock { bound } else { nil }
    }

    /// Whether a value says anything: not when the clocks may be further apart than it is long.
    public func means(_ nanoseconds: Double) -> Bool {
        switch clock {
        case .same: true
        case .measured(_, let bound): abs(nanoseconds) > Double(bound)
        case .unknown: false
        }
    }

    /// The share of what was to be sent that has no value, 0 to 1; `nil` of nothing.
    public var missingShare: Double? {
        guard traffic.intended > 0 else { return nil }
        return max(0, Double(traffic.intended - count) / Double(traffic.intended))
    }

    private static func shares(_ samples: [LatencySample]) -> [StageShare] {
        let staged = samples.filter { $0.nanoseconds != nil }.compactMap(\.stages)
        guard !staged.isEmpty else { return [] }
        return LatencyStage.allCases.compactMap { stage in
            guard staged.contains(where: { $0[stage] != 0 }) else { return nil }
            let sum = staged.reduce(0.0) { $0 + Double($1[stage]) }
            return StageShare(stage: stage, meanNanoseconds: sum / Double(staged.count))
        }
    }
}
