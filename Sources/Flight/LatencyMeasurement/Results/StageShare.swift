internal import Statistics

extension SeriesSummary {
    /// The times of a stage, nanoseconds. Its percentiles are of that stage by itself: they do not add up to those of the total.
    package struct StageShare: Hashable, Sendable {
        package var stage: LatencyStage
        /// The mean over all samples, nanoseconds: the sum over all stages is the mean of the total.
        package var meanNanoseconds: Double
        /// The median and p99 over the samples that arrived; `nil` if they are too few.
        package var medianNanoseconds: Int64?
        package var p99Nanoseconds: Int64?
        /// The mean over the slowest hundredth of the samples by their totals: the sum over all stages is their mean total. `nil`
        /// where there is no p99.
        package var slowestNanoseconds: Double?

        init(
            stage: LatencyStage, meanNanoseconds: Double, medianNanoseconds: Int64? = nil, p99Nanoseconds: Int64? = nil,
            slowestNanoseconds: Double? = nil
        ) {
            self.stage = stage
            self.meanNanoseconds = meanNanoseconds
            self.medianNanoseconds = medianNanoseconds
            self.p99Nanoseconds = p99Nanoseconds
            self.slowestNanoseconds = slowestNanoseconds
        }
    }

    /// The stages of samples; those that none has are left out.
    static func shares(_ samples: [LatencySample]) -> [StageShare] {
        let staged = samples.compactMap { sample in
            sample.nanoseconds.flatMap { whole in sample.stages.map { (whole: whole, times: $0) } }
        }
        guard !staged.isEmpty else { return [] }
        let slowest = Self.slowest(staged)
        return LatencyStage.allCases.compactMap { stage in
            let times = Samples(staged.map { $0.times[stage] })
            guard times.minimum != 0 || times.maximum != 0, let mean = times.mean else { return nil }
            return StageShare(
                stage: stage, meanNanoseconds: mean, medianNanoseconds: times.reported(.p50),
                p99Nanoseconds: times.reported(.p99),
                slowestNanoseconds: Samples(slowest.map { $0[stage] }).mean)
        }
    }

    /// The slowest hundredth; none where that would be fewer than three.
    private static func slowest(_ staged: [(whole: Int64, times: StageTimes)]) -> [StageTimes] {
        guard staged.count >= Percentile.p99.minimumCount else { return [] }
        return staged.sorted { $0.whole > $1.whole }.prefix(staged.count / 100).map(\.times)
    }
}
