internal import Statistics

/// What a stream of setpoints looks like from the vehicle: when each came, how old it was, how long nothing came.
struct ArrivalRecord: Hashable, Sendable {
    /// How many came in the worst whole second.
    let fewestInASecond: Int
    /// The longest time in which none came, nanoseconds, the run's beginning and end counted.
    let longestGapNanoseconds: Int64
    /// The greatest age on arrival, nanoseconds.
    let worstAgeNanoseconds: Int64
    /// How often nothing fresh came for longer than a lease.
    let lapses: Int

    /// Nothing came: `nil`.
    ///
    /// - Parameters:
    ///   - lease: a time without arrivals that is longer counts as a lapse, nanoseconds.
    ///   - refusesStale: whether what is older than the lease on arrival is refused, as if it had not come.
    init?(_ series: LatencySeries, lease: Int64, refusesStale: Bool = true) {
        let scheduled = Self.withoutPauses(series.samples)
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
        fewestInASecond = Self.fewest(fresh, from: begin, to: end)
    }

    /// The samples in the order of their instants, with the time taken out in which nothing was meant to be sent: between two turns
    /// of a link it is the others' turn. Every instant of a schedule stands in the series, what was lost too, so a longer pause is
    /// one of the schedule's.
    private static func withoutPauses(_ samples: [LatencySample]) -> [LatencySample] {
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

    /// How many of the instants the emptiest second holds that lies within the run; a shorter run counts as one second.
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
