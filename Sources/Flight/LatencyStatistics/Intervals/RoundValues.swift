internal import Statistics

/// Delays grouped by the round in which they were measured: samples of one round share a stall, those of different
/// rounds do not.
package struct RoundValues: Hashable, Sendable {
    /// The delays of one round.
    struct Round: Hashable, Sendable {
        /// Its number.
        var number: Int
        /// Those that arrived, in ascending order.
        var sorted: [Int64]
        /// How many were intended, with those that were lost.
        var intended: Int
    }

    /// In ascending order of their numbers; a round in which nothing was intended is not in it.
    let rounds: [Round]

    /// Groups observations.
    package init(_ observations: some Sequence<DelayObservation>) {
        rounds = Dictionary(grouping: observations, by: \.round).map { number, turn in
            Round(number: number, sorted: turn.compactMap(\.nanoseconds).sorted(), intended: turn.count)
        }.sorted { $0.number < $1.number }
    }

    private init(_ rounds: [Round]) { self.rounds = rounds }

    /// What one round says for itself.
    package struct Figures: Hashable, Sendable {
        /// Its number, from 0.
        package var number: Int
        /// How many samples were intended, without the first of the turn.
        package var intended: Int
        /// How many of them were lost.
        package var lost: Int
        /// Their median, by nearest rank over all that was intended.
        package var median: IntendedSamples.Quantile?
        /// The largest delay, nanoseconds; `nil` if none arrived.
        package var maximum: Int64?
    }

    /// What each round says for itself, in ascending order.
    package var figures: [Figures] {
        rounds.map { round in
            let samples = IntendedSamples(delivered: Samples(round.sorted), intended: round.intended)
            return Figures(
                number: round.number, intended: round.intended, lost: round.intended - round.sorted.count,
                median: samples.value(at: .p50), maximum: round.sorted.last)
        }
    }

    /// How many rounds there are.
    package var count: Int { rounds.count }
    /// How many samples were intended in all.
    package var intended: Int { rounds.reduce(0) { $0 + $1.intended } }

    /// The median of all that was intended, nanoseconds; `nil` where that is too little, or where it was lost.
    package var medianNanoseconds: Int64? {
        let all = IntendedSamples(delivered: Samples(rounds.flatMap(\.sorted)), intended: intended)
        if case .delay(let nanoseconds)? = all.reported(.p50) { return nanoseconds }
        return nil
    }

    /// Both, with those rounds only in which both have samples.
    package static func paired(_ first: Self, _ second: Self) -> (Self, Self) {
        let common = Set(first.rounds.map(\.number)).intersection(second.rounds.map(\.number))
        func kept(_ values: Self) -> Self { Self(values.rounds.filter { common.contains($0.number) }) }
        return (kept(first), kept(second))
    }

    /// Consecutive rounds put together until there are no more than `most`: larger clusters are still independent of
    /// each other.
    func merged(atMost most: Int) -> Self {
        let size = (rounds.count + most - 1) / max(1, most)
        guard size > 1 else { return self }
        return Self(
            stride(from: 0, to: rounds.count, by: size).map { begin in
                let part = rounds[begin..<Swift.min(begin + size, rounds.count)]
                return Round(
                    number: rounds[begin].number, sorted: part.flatMap(\.sorted).sorted(),
                    intended: part.reduce(0) { $0 + $1.intended })
            })
    }

    /// How many independent values would give the median the same variance, at most the number of samples; `nil` for
    /// fewer than two rounds.
    ///
    /// The effective sample size of Kish (Survey Sampling, 1965): the binomial variance of the share of samples up to
    /// the median, over the variance that this share has between rounds (linearised as in Woodruff 1952). So it needs
    /// no model of the correlation within a round.
    package var effectiveCount: Double? {
        let (clusters, total) = (Double(rounds.count), Double(intended))
        guard rounds.count > 1 else { return nil }
        let all = Samples(rounds.flatMap(\.sorted))
        let rank = Percentile.p50.rank(of: intended)
        // Where the median is lost, the share of those that arrived takes its place.
        let limit = rank <= all.count ? all.sorted[rank - 1] : Int64.max
        let below = rounds.map { Double(Samples(ascending: $0.sorted).count(upTo: limit)) }
        let share = below.reduce(0, +) / total
        let squares = zip(below, rounds).reduce(0.0) { sum, round in
            let difference = round.0 - share * Double(round.1.intended)
            return sum + difference * difference
        }
        let variance = clusters / (clusters - 1) * squares / (total * total)
        guard variance > 0 else { return total }
        return Swift.min(total, share * (1 - share) / variance)
    }
}
