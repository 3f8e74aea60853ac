package import Statistics

/// The figures of a series. All times are nanoseconds.
package struct SeriesSummary: Hashable, Sendable {
    /// A percentile for which the run is long enough.
    package struct Quantile: Hashable, Sendable {
        package var percentile: Percentile
        package var nanoseconds: Int64
    }

    /// The mean time of a stage, nanoseconds.
    package struct StageShare: Hashable, Sendable {
        package var stage: LatencyStage
        /// The mean over all samples, nanoseconds: the sum over all stages is the mean of the total.
        package var meanNanoseconds: Double
    }

    /// The values, sorted.
    package let samples: Samples
    /// Those percentiles of p50 to p99.99 for which the run is long enough.
    package let quantiles: [Quantile]
    /// The 95 percent confidence interval of the median; `nil` for fewer than ten values.
    package let medianInterval: Bootstrap.Interval?
    /// Jitter by RFC 3550 at the end of the run, nanoseconds; `nil` for fewer than two values.
    package let rfc3550Jitter: Double?
    /// Absolute differences between consecutive delays (RFC 3393), nanoseconds.
    package let delayVariation: Samples
    /// The mean time by stage; empty when the link cannot tell.
    package let stages: [StageShare]
    /// How many were sent, lost and duplicated.
    package let traffic: LatencySeries.Traffic
    /// The relation between the clocks.
    package let clock: LatencySeries.ClockRelation
    /// The scheduled rate.
    package let intendedHertz: Double?
    /// The rate that arrived.
    package let achievedHertz: Double?
    /// How many were discarded at the beginning as warm-up.
    package let warmUpDropped: Int
    /// From which instant the values count; `nil` where it is the scheduled one, or not stated.
    package let origin: TelemetryOrigin?

    /// Computes the figures of a series.
    package init(_ series: LatencySeries, bootstrap: Bootstrap = Bootstrap()) {
        let samples = Samples(series.samples.compactMap(\.nanoseconds))
        self.samples = samples
        quantiles = Percentile.usual.compactMap { percentile in
            samples.reported(percentile).map { Quantile(percentile: percentile, nanoseconds: $0) }
        }
        medianInterval = bootstrap.median(samples)
        // Scheduled instants serve as RFC 3550 timestamps; consecutive samples are those that arrived one after the other.
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
        origin = series.origin
    }

    /// How many values there are.
    package var count: Int { samples.count }

    /// The value at a percentile; `nil` if the run is too short.
    package func value(at percentile: Percentile) -> Int64? {
        quantiles.first { $0.percentile == percentile }?.nanoseconds
    }

    /// The highest percentile up to p99 for which the run is long enough; the maximum if there is none above p50.
    package var upperPercentile: (name: String, nanoseconds: Int64)? {
        let known = quantiles.last { $0.percentile.thousandths <= Percentile.p99.thousandths }
        if let known, known.percentile != .p50 { return (known.percentile.description, known.nanoseconds) }
        return samples.maximum.map { ("max", $0) }
    }

    /// The error bound of a one-way figure, nanoseconds; `nil` where one clock was used at both ends.
    package var boundNanoseconds: Int64? {
        if case .measured(_, let bound) = clock { bound } else { nil }
    }

    /// Whether a value is meaningful: it exceeds the bound of the clocks.
    package func means(_ nanoseconds: Double) -> Bool {
        switch clock {
        case .same: true
        case .measured(_, let bound): abs(nanoseconds) > Double(bound)
        case .unknown: false
        }
    }

    /// The share of scheduled samples without a value, 0 to 1; `nil` if none was scheduled.
    package var missingShare: Double? {
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
