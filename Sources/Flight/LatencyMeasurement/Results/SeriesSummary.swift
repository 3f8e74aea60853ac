package import LatencyStatistics
package import Statistics

/// The figures of a series. All times are nanoseconds. The first sample of each turn is in none of them but ``cold``,
/// ``age`` and ``losses``.
package struct SeriesSummary: Hashable, Sendable {
    /// A percentile for which the run is long enough.
    package struct Quantile: Hashable, Sendable {
        package var percentile: Percentile
        /// The value; `nil` where the percentile lies among the samples that were lost.
        package var nanoseconds: Int64?
    }

    /// The values that arrived, sorted.
    package let samples: Samples
    /// Those values, and how many were lost.
    package let intended: IntendedSamples
    /// Those percentiles of p50 to p99.99, of all that was intended, for which the run is long enough.
    package let quantiles: [Quantile]
    /// In how many rounds the series has samples.
    package let rounds: Int
    /// How many independent samples would say as much of the median; `nil` for fewer than two rounds.
    package let effectiveCount: Double?
    /// The 95 percent confidence interval of the median, its ends infinite where they are lost; `nil` for fewer than
    /// ten rounds.
    package let medianInterval: Bootstrap.Interval?
    /// The first samples of the turns, where turns have more than one.
    package let cold: IntendedSamples
    /// How the delays vary within turns.
    package let variation: DelayVariation
    /// How losses are distributed.
    package let losses: LossPattern
    /// The age of the newest setpoint at the vehicle; `nil` for other kinds.
    package let age: AgeOfInformation?
    /// The times by stage; empty when the link cannot tell.
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
    /// Whether only what arrived is known, not what was sent.
    package let hasArrivalsOnly: Bool
    /// Whether steering ends at the companion's own subscriber.
    package let endsAtSubscriber: Bool
    /// The values by round, from which ratios are made.
    let values: RoundValues

    /// Computes the figures of a series.
    ///
    /// - Parameter kind: what was measured; only steering has an age at the vehicle.
    package init(_ series: LatencySeries, kind: SeriesKind? = nil, bootstrap: ClusterBootstrap = ClusterBootstrap()) {
        let all = series.samples.map(\.observation)
        let warm = series.samples.lazy.filter { !$0.isCold }.map(\.observation)
        let first = series.samples.lazy.filter(\.isCold).map(\.observation)
        let intended = Self.intended(warm)
        self.intended = intended
        samples = intended.delivered
        quantiles = Percentile.usual.compactMap { Quantile($0, of: intended) }
        values = RoundValues(warm)
        rounds = values.count
        effectiveCount = values.effectiveCount
        medianInterval = bootstrap.median(values)
        cold = Self.intended(first)
        variation = DelayVariation(warm)
        losses = LossPattern(all)
        let period = series.intendedHertz.flatMap { $0 > 0 ? Int64(exactly: (1e9 / $0).rounded()) : nil }
        age = kind == .steering ? period.flatMap { AgeOfInformation(all, period: $0) } : nil
        stages = Self.shares(series.samples.filter { !$0.isCold })
        traffic = series.traffic
        clock = series.clock
        intendedHertz = series.intendedHertz
        achievedHertz = series.achievedHertz
        warmUpDropped = series.warmUpDropped
        origin = series.origin
        hasArrivalsOnly = series.hasArrivalsOnly
        endsAtSubscriber = series.endsAtSubscriber
    }

    /// What each round says for itself.
    package var byRound: [RoundValues.Figures] { values.figures }

    /// How many values there are.
    package var count: Int { samples.count }

    /// How many that were intended never arrived.
    package var lostCount: Int { intended.lost }

    /// The value at a percentile; `nil` if the run is too short, or where it was lost.
    package func value(at percentile: Percentile) -> Int64? {
        quantiles.first { $0.percentile == percentile }?.nanoseconds
    }

    /// The median of all that was intended, however few; `nil` if there is none, or where it was lost.
    package var medianNanoseconds: Int64? {
        if case .delay(let nanoseconds)? = intended.value(at: .p50) { nanoseconds } else { nil }
    }

    /// p99, or the maximum where the run is too short for it, so that a shorter run shows nothing better; its value is
    /// `nil` where it was lost.
    package var upperPercentile: (name: String, nanoseconds: Int64?)? {
        if let p99 = quantiles.first(where: { $0.percentile == .p99 }) { return ("p99", p99.nanoseconds) }
        switch intended.maximum {
        case .delay(let most): return ("max", most)
        case .lost: return ("max", nil)
        case nil: return nil
        }
    }

    /// Jitter by RFC 3550 as the mean over the run, nanoseconds; `nil` for fewer than two values.
    package var rfc3550Jitter: Double? { variation.meanInterarrivalJitter }

    /// Delays above the smallest of their turn (PDV, RFC 5481), nanoseconds.
    package var packetDelayVariation: Samples { variation.packetDelayVariation }

    /// Absolute differences between consecutive delays (RFC 3393), nanoseconds.
    package var delayVariation: Samples { variation.betweenPackets }

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

    /// The share of intended samples without a value, 0 to 1; `nil` if none was intended, or if that is not known.
    package var missingShare: Double? {
        guard !hasArrivalsOnly, intended.intended > 0 else { return nil }
        return Double(intended.lost) / Double(intended.intended)
    }

    private static func intended(_ observations: some Sequence<DelayObservation>) -> IntendedSamples {
        var (count, delivered): (Int, [Int64]) = (0, [])
        for observation in observations {
            count += 1
            if let nanoseconds = observation.nanoseconds { delivered.append(nanoseconds) }
        }
        return IntendedSamples(delivered: Samples(delivered), intended: count)
    }
}

extension SeriesSummary.Quantile {
    /// The percentile of what was intended; `nil` if that is too little.
    init?(_ percentile: Percentile, of intended: IntendedSamples) {
        switch intended.reported(percentile) {
        case .delay(let nanoseconds): self.init(percentile: percentile, nanoseconds: nanoseconds)
        case .lost: self.init(percentile: percentile, nanoseconds: nil)
        case nil: return nil
        }
    }
}
