internal import LatencyStatistics
internal import ReportKit
package import Statistics

/// One figure, measured in several runs: its median over the runs, and how far it is known.
package struct Estimate: Hashable, Sendable {
    /// How far a figure is known.
    package enum Spread: Hashable, Sendable {
        /// The interval that holds the median over runs with a confidence of 95 percent, by resampling the runs.
        case interval(Bootstrap.Interval)
        /// The lowest and the highest of the runs, which are too few for an interval.
        case range(Bootstrap.Interval)
        /// There was one run.
        case oneRun
    }

    /// The figure of each run.
    package let byRun: [Double]
    /// Their median, by nearest rank: the figure of one of the runs. Not a number if one of them is none.
    package let value: Double
    /// How far it is known.
    package let spread: Spread

    /// So many runs are needed for an interval.
    package static let fewestRuns = ClusterBootstrap.minimumRounds
    /// Figures are resampled as integers of this share of one: finer than any of them is measured.
    private static let resolution = 1e-6

    /// - Parameter byRun: the figure of each run.
    package init(byRun: [Double]) {
        self.byRun = byRun
        guard !byRun.isEmpty, !byRun.contains(where: \.isNaN) else {
            (value, spread) = (.nan, .oneRun)
            return
        }
        let sorted = byRun.sorted()
        value = sorted[Percentile.p50.rank(of: sorted.count) - 1]
        guard byRun.count > 1 else {
            spread = .oneRun
            return
        }
        // Each run is a cluster of one: how the samples of a run depend on each other does not matter.
        let values = RoundValues(
            byRun.enumerated().map { run, figure in
                DelayObservation(
                    round: run, intendedNanoseconds: 0,
                    nanoseconds: figure.isFinite ? Int64(saturating: (figure / Self.resolution).rounded()) : nil)
            })
        if let interval = ClusterBootstrap().median(values) {
            spread = .interval(.init(low: interval.low * Self.resolution, high: interval.high * Self.resolution))
        } else {
            spread = .range(.init(low: sorted[0], high: sorted[sorted.count - 1]))
        }
    }

    /// A figure of one run, such as a count.
    package init(_ value: Double) { self.init(byRun: [value]) }

    /// Its ends, whichever they are; `nil` for one run.
    package var ends: Bootstrap.Interval? {
        switch spread {
        case .interval(let ends), .range(let ends): ends
        case .oneRun: nil
        }
    }

    /// In words, without the figure itself.
    package var spreadText: String {
        func text(_ ends: Bootstrap.Interval) -> String { "\(Figure.short(ends.low)) to \(Figure.short(ends.high))" }
        switch spread {
        case .interval(let ends): return "95 % interval of \(byRun.count) runs \(text(ends))"
        case .range(let ends): return "lowest and highest of \(byRun.count) runs \(text(ends)), no interval"
        case .oneRun: return "one run"
        }
    }

    /// For the report, beside the figure.
    var json: [JSONValue.Member] {
        let spread: [JSONValue.Member] =
            switch self.spread {
            case .interval(let ends): [.init("interval", Self.json(ends))]
            case .range(let ends): [.init("range", Self.json(ends))]
            case .oneRun: []
            }
        return [.init("value", .number(value)), .init("by_run", .array(byRun.map { .number($0) }))] + spread
    }

    private static func json(_ ends: Bootstrap.Interval) -> JSONValue {
        .object([.init("low", .number(ends.low)), .init("high", .number(ends.high))])
    }
}
