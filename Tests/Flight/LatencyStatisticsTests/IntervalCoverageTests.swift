import LatencyStatistics
import Statistics
import Testing

/// Whether an interval of 95 percent holds the true median in 95 of a hundred runs, on the kinds of data that links
/// give.
@Suite("Coverage of the intervals") struct IntervalCoverageTests {
    enum Kind: CaseIterable {
        case independent, autocorrelated, stalled

        /// A run of rounds, microseconds; the median of a link that never ends is known from ``median(of:_:)``.
        func run(rounds: Int, each count: Int, _ random: inout SeededRandom) -> [DelayObservation] {
            (0..<rounds).flatMap { round in
                turn(count, &random).enumerated().map { number, value in
                    let intended = Int64(round * count + number) * 10_000_000
                    return DelayObservation(round: round, intendedNanoseconds: intended, nanoseconds: value)
                }
            }
        }

        private func turn(_ count: Int, _ random: inout SeededRandom) -> [Int64] {
            switch self {
            case .independent: return (0..<count).map { _ in Int64(5000 + 500 * random.normal()) }
            case .autocorrelated:
                // AR(1) with 0.8 from one sample to the next; each turn begins anew.
                var state = random.normal()
                return (0..<count).map { _ in
                    defer { state = 0.8 * state + 0.6 * random.normal() }
                    return Int64(5000 + 500 * state)
                }
            case .stalled:
                var values = (0..<count).map { _ in Int64(5000 + 500 * random.normal()) }
                // In every second turn nothing gets through for 50 to 290 ms, and all that was intended meanwhile comes
                // at its end.
                guard random.unit() < 0.5 else { return values }
                let begin = Int.random(in: 0..<count, using: &random)
                let length = Int.random(in: 5..<30, using: &random)
                for late in 0..<length where begin + late < count {
                    values[begin + late] += Int64((length - late) * 10_000)
                }
                return values
            }
        }

        /// The true median for turns of this length.
        func median(each count: Int) -> Int64 {
            guard self == .stalled else { return 5000 }
            var random = SeededRandom(seed: 99)
            let values = run(rounds: 4000, each: count, &random).compactMap(\.nanoseconds)
            return Samples(values).median ?? 0
        }
    }

    private static let runs = 600

    @Test(arguments: Kind.allCases, [(rounds: 10, count: 50), (30, 50), (30, 1)])
    func `92 to 97 of a hundred intervals hold the true median`(
        _ kind: Kind, _ size: (rounds: Int, count: Int)
    ) throws {
        let truth = Double(kind.median(each: size.count))
        var random = SeededRandom(seed: 7)
        var covered = 0
        for run in 0..<Self.runs {
            let values = RoundValues(kind.run(rounds: size.rounds, each: size.count, &random))
            let bootstrap = ClusterBootstrap(draws: 400, seed: UInt64(run))
            let interval = try #require(bootstrap.median(values))
            if interval.low <= truth, truth <= interval.high { covered += 1 }
        }
        let share = Double(covered) / Double(Self.runs)
        #expect((0.92...0.97).contains(share), "\(kind), \(size.rounds) rounds of \(size.count): \(share)")
    }

    /// How much a round differs from the others for both links, the standard deviation, microseconds: twice what samples differ by.
    private static let roundOffset = 1000.0

    /// So much for each round.
    private static func offsets(_ rounds: Int, _ random: inout SeededRandom) -> [Int64] {
        (0..<rounds).map { _ in Int64(roundOffset * random.normal()) }
    }

    /// A link in rounds that differ by offsets, and that is slower by so much.
    private static func run(
        _ kind: Kind, _ offsets: [Int64], slowerBy more: Int64 = 0, _ random: inout SeededRandom
    ) -> [DelayObservation] {
        kind.run(rounds: offsets.count, each: 50, &random).map { observation in
            var observation = observation
            observation.nanoseconds = observation.nanoseconds.map { $0 + offsets[observation.round] + more }
            return observation
        }
    }

    /// Both links share what slows the machine down in a round.
    @Test(arguments: Kind.allCases, [10, 30])
    func `92 to 97 of a hundred intervals hold the true ratio`(_ kind: Kind, _ rounds: Int) throws {
        var median: Int64 = 5000
        if kind == .stalled {
            var random = SeededRandom(seed: 98)
            let long = Self.run(kind, Self.offsets(8000, &random), &random)
            median = try #require(Samples(long.compactMap(\.nanoseconds)).median)
        }
        let truth = Double(median + 10_000) / Double(median)
        var random = SeededRandom(seed: 8)
        var covered = 0
        for run in 0..<Self.runs {
            let offsets = Self.offsets(rounds, &random)
            let quick = Self.run(kind, offsets, &random)
            let slow = Self.run(kind, offsets, slowerBy: 10_000, &random)
            let bootstrap = ClusterBootstrap(draws: 400, seed: UInt64(run))
            let interval = try #require(bootstrap.ratioOfMedians(RoundValues(slow), over: RoundValues(quick)))
            if interval.low <= truth, truth <= interval.high { covered += 1 }
        }
        let share = Double(covered) / Double(Self.runs)
        #expect((0.92...0.97).contains(share), "\(kind), \(rounds) rounds: \(share)")
    }

    @Test func `intervals that take samples as independent miss a median of autocorrelated ones`() throws {
        var random = SeededRandom(seed: 9)
        var covered = 0
        for run in 0..<300 {
            let values = Kind.autocorrelated.run(rounds: 30, each: 50, &random).compactMap(\.nanoseconds)
            let interval = try #require(Bootstrap(rounds: 500, seed: UInt64(run)).median(Samples(values)))
            if interval.low <= 5000, 5000 <= interval.high { covered += 1 }
        }
        #expect(covered < 240, "\(covered) of 300")
    }
}
