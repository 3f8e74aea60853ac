@testable import LatencyStatistics
import Statistics
import Testing

@Suite("Resampling whole rounds") struct ClusterBootstrapTests {
    private func observations(rounds: Int, each count: Int = 20, _ value: (Int, Int) -> Int64?) -> [DelayObservation] {
        (0..<rounds).flatMap { round in
            (0..<count).map { number in
                DelayObservation(
                    round: round, intendedNanoseconds: Int64(round * count + number), nanoseconds: value(round, number))
            }
        }
    }

    @Test func `fewer than ten rounds give no interval, however many samples they have`() {
        let bootstrap = ClusterBootstrap()
        let nine = RoundValues(observations(rounds: 9, each: 500) { Int64($0 * 500 + $1) })
        let ten = RoundValues(observations(rounds: 10) { Int64($0 * 20 + $1) })
        #expect(bootstrap.median(nine) == nil && bootstrap.median(ten) != nil)
        #expect(bootstrap.ratioOfMedians(ten, over: nine) == nil)
        #expect(bootstrap.ratioOfMedians(ten, over: RoundValues(observations(rounds: 10) { _, _ in 5 })) != nil)
    }

    @Test func `the same seed gives the same interval, and the median lies in it`() throws {
        let values = RoundValues(observations(rounds: 30) { Int64(1000 + ($0 * 37 % 30) * 10 + $1) })
        let interval = try #require(ClusterBootstrap(seed: 4).median(values))
        #expect(ClusterBootstrap(seed: 4).median(values) == interval)
        let median = Double(try #require(Samples(values.rounds.flatMap(\.sorted)).median))
        #expect(interval.low < median && median < interval.high)
    }

    @Test func `pairing takes out what slows both links down`() throws {
        // Rounds differ by a factor of ten, the links always by two.
        let quick = observations(rounds: 30) { round, number in Int64((1000 + number) * (1 + round % 10)) }
        let slow = observations(rounds: 30) { round, number in Int64(2 * (1000 + number) * (1 + round % 10)) }
        let interval = try #require(ClusterBootstrap().ratioOfMedians(RoundValues(slow), over: RoundValues(quick)))
        #expect(interval.low == 2 && interval.high == 2)
        // In rounds that only one of them has there is nothing to pair.
        let half = slow.filter { $0.round >= 21 }
        #expect(ClusterBootstrap().ratioOfMedians(RoundValues(half), over: RoundValues(quick)) == nil)
    }

    @Test func `an end of the interval among the lost ones is infinite`() throws {
        let often = RoundValues(
            observations(rounds: 20, each: 10) { round, number in number < 4 + round % 3 ? 7 : nil })
        let interval = try #require(ClusterBootstrap().median(often))
        #expect(interval.low == 7 && interval.high == .infinity)
        let never = RoundValues(observations(rounds: 20) { _, _ in nil })
        #expect(ClusterBootstrap().median(never) == Bootstrap.Interval(low: .infinity, high: .infinity))
        let one = RoundValues(observations(rounds: 20) { _, _ in 1 })
        #expect(ClusterBootstrap().ratioOfMedians(never, over: never) == nil)
        #expect(
            ClusterBootstrap().ratioOfMedians(one, over: RoundValues(observations(rounds: 20) { _, _ in 0 })) == nil)
    }

    @Test func `tails are those of Student's distribution, expanded`() {
        // scipy: norm.cdf(-t.ppf(0.975, n - 1) * sqrt(n / (n - 1))).
        for (clusters, tail) in [(10, 0.008_551), (30, 0.018_754), (512, 0.024_618)] {
            #expect(abs(ClusterBootstrap.tail(clusters: clusters) - tail) < 2e-5, "\(clusters)")
        }
    }

    @Test func `many rounds and many values are as quick, and hardly differ`() throws {
        let values = observations(rounds: 2000, each: 5) { round, number in
            Int64((round * 7919 + number * 104_729) % 10_007)
        }
        let interval = try #require(ClusterBootstrap(draws: 300).median(RoundValues(values)))
        #expect(interval.low < 5003 && interval.high > 5003 && interval.high - interval.low < 500)
    }

    @Test func `the effective number is all where samples are independent, and that of rounds where they are one`()
        throws
    {
        var random = SeededRandom(seed: 3)
        let free = RoundValues(observations(rounds: 40, each: 50) { _, _ in Int64(1e6 + 1e5 * random.normal()) })
        #expect(try #require(free.effectiveCount) > 1000)
        let levels = (0..<40).map { _ in Int64(1e6 + 1e5 * random.normal()) }
        let tied = RoundValues(observations(rounds: 40, each: 50) { round, _ in levels[round] })
        #expect((20...60).contains(try #require(tied.effectiveCount)))
        #expect(RoundValues(observations(rounds: 1) { _, _ in 1 }).effectiveCount == nil)
        #expect(RoundValues(observations(rounds: 5) { _, _ in 1 }).effectiveCount == 100)
    }
}
