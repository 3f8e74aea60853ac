package import Statistics

/// What one contender did in each of several runs, in each with connections or processes of its own.
package struct RunSeries: Hashable, Sendable {
    /// From which instant a latency counts.
    package enum Origin: Hashable, Sendable {
        /// That for which the operation was intended: the timer's lateness is in it.
        case intended
        /// That at which it was called.
        case call
    }

    /// In the order of the runs.
    package private(set) var runs: [Timings]
    private let intended: [Samples]
    private let called: [Samples]
    private let late: [Samples]

    /// What was measured, run by run.
    package init(_ runs: [Timings]) {
        self.runs = runs
        intended = runs.map { Samples($0.latencies) }
        called = runs.map { Samples($0.fromCall) }
        late = runs.map { Samples($0.lateness) }
    }

    /// How many operations there were in all.
    package var count: Int { runs.reduce(0) { $0 + $1.latencies.count } }
    /// Whether there was a schedule.
    package var isPaced: Bool { runs.contains { !$0.lateness.isEmpty } }

    /// All runs put together.
    package func all(from origin: Origin = .intended) -> Samples {
        Samples(runs.flatMap { origin == .intended ? $0.latencies : $0.fromCall })
    }

    /// How late operations of all runs began; empty without a schedule.
    package var lateness: Samples { Samples(runs.flatMap(\.lateness)) }

    /// A percentile of each run, nanoseconds; not a number for a run without operations.
    package func byRun(_ percentile: Percentile, from origin: Origin = .intended) -> [Double] {
        (origin == .intended ? intended : called).map { $0.value(at: percentile).map(Double.init) ?? .nan }
    }

    /// The median lateness of each run, nanoseconds; empty without a schedule.
    package var latenessByRun: [Double] { isPaced ? late.map { $0.median.map(Double.init) ?? .nan } : [] }

    /// Whether each run is long enough for the percentile.
    package func isLongEnough(for percentile: Percentile) -> Bool {
        runs.allSatisfy { $0.latencies.count >= percentile.minimumCount }
    }

    /// A percentile, run by run.
    ///
    /// - Parameter unit: nanoseconds in the unit of the estimate.
    package func estimate(_ percentile: Percentile, per unit: Double, from origin: Origin = .intended) -> Estimate {
        Estimate(byRun: byRun(percentile, from: origin).map { $0 / unit })
    }

    /// How a percentile of this one stands to the same percentile of a peer, run by run.
    package func compared(
        with peer: RunSeries, at percentile: Percentile, from origin: Origin = .intended,
        _ combine: (Double, Double) -> Double
    ) -> Estimate {
        Estimate(byRun: zip(byRun(percentile, from: origin), peer.byRun(percentile, from: origin)).map(combine))
    }
}
