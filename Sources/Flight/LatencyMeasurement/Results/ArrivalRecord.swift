internal import Statistics

/// A stream of setpoints as the vehicle receives it: rate, age and gaps.
struct ArrivalRecord: Hashable, Sendable {
    /// How many arrived in the worst whole second.
    let minimumPerSecond: Int
    /// The longest time without an arrival, nanoseconds, from the beginning to the end of the run.
    let longestGapNanoseconds: Int64
    /// The greatest age on arrival, nanoseconds.
    let worstAgeNanoseconds: Int64
    /// How often no fresh setpoint arrived for longer than a lease.
    let lapses: Int

    /// Analyses a series; `nil` if nothing arrived.
    ///
    /// - Parameters:
    ///   - lease: a longer time without arrivals counts as a lapse, nanoseconds.
    ///   - refusesStale: whether a setpoint older than the lease on arrival is refused, as if it had not arrived.
    init?(_ series: LatencySeries, lease: Int64, refusesStale: Bool = true) {
        let scheduled = Self.removingPauses(series.samples)
        let fresh = scheduled.compactMap { sample in
            sample.nanoseconds.flatMap { !refusesStale || $0 <= lease ? sample.intendedNanoseconds &+ $0 : nil }
        }.sorted()
        guard let worst = series.samples.compactMap(\.nanoseconds).max() else { return nil }
        worstAgeNanoseconds = worst
        let begin = scheduled.first?.intendedNanoseconds ?? 0
        let end = scheduled.last?.intendedNanoseconds ?? begin
        var gap: Int64 = 0
        var lapses = 0
        var last = begin
        for instant in fresh + [end] {
            gap = max(gap, instant - last)
            if instant - last > lease { lapses += 1 }
            last = max(last, instant)
        }
        longestGapNanoseconds = gap
        self.lapses = lapses
        minimumPerSecond = Self.fewest(fresh, from: begin, to: end)
    }

    /// The samples by scheduled instant, with the pauses in which nothing was scheduled removed: between two turns of a link
    /// the other links have theirs. Every scheduled instant is in the series, lost ones too, so a longer interval is a pause
    /// of the schedule.
    private static func removingPauses(_ samples: [LatencySample]) -> [LatencySample] {
        var ordered = samples.sorted { $0.intendedNanoseconds < $1.intendedNanoseconds }
        let intervals = zip(ordered.dropFirst(), ordered).map { $0.intendedNanoseconds - $1.intendedNanoseconds }
        guard let period = Samples(intervals).median, period > 0 else { return ordered }
        var pauses: Int64 = 0
        for (index, interval) in intervals.enumerated() {
            if interval > 3 * period { pauses += interval - period }
            ordered[index + 1].intendedNanoseconds -= pauses
        }
        return ordered
    }

    /// The number of instants in the emptiest second within the run; a shorter run counts as one second.
    private static func fewest(_ instants: [Int64], from begin: Int64, to end: Int64) -> Int {
        let second: Int64 = 1_000_000_000
        guard end - begin > second else { return instants.count }
        // The emptiest second begins right after an arrival, or at the beginning.
        var fewest = Int.max
        var upper = 0
        for (lower, from) in ([begin - 1] + instants).enumerated() {
            guard from + second < end else { break }
            while upper < instants.count, instants[upper] <= from + second { upper += 1 }
            fewest = min(fewest, upper - lower)
        }
        return fewest == .max ? instants.count : fewest
    }
}
