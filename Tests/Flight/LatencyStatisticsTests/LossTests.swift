import LatencyStatistics
import Statistics
import Testing

@Suite("Losses") struct LossTests {
    private func stream(_ values: [Int64?], round: Int = 0) -> [DelayObservation] {
        values.enumerated().map {
            DelayObservation(round: round, intendedNanoseconds: Int64($0.offset) * 10, nanoseconds: $0.element)
        }
    }

    @Test func `a percentile among the lost ones is lost, and those below it are of all that was intended`() {
        // Of a hundred, 95 arrived: 1 to 95.
        let samples = IntendedSamples(delivered: Samples(Array(1...95)), intended: 100)
        #expect(samples.value(at: .p50) == .delay(50) && samples.value(at: .p90) == .delay(90))
        #expect(samples.value(at: .p99) == .lost && samples.reported(.p99) == nil, "300 are needed for that one")
        #expect(samples.lost == 5 && samples.maximum == .lost)
        let whole = IntendedSamples(delivered: Samples([3]), intended: 1)
        #expect(whole.maximum == .delay(3) && whole.reported(.p50) == nil)
        #expect(IntendedSamples(delivered: Samples([]), intended: 0).value(at: .p50) == nil)
    }

    @Test func `a link that drops its late packets has no better percentiles`() {
        let late = IntendedSamples(delivered: Samples((1...1000).map { $0 > 980 ? 1_000_000 : 5 }), intended: 1000)
        let dropped = IntendedSamples(delivered: Samples((1...980).map { _ in 5 }), intended: 1000)
        #expect(late.reported(.p99) == .delay(1_000_000) && dropped.reported(.p99) == .lost)
    }

    @Test func `periods and distances are those of RFC 3357`() {
        // 2, 5, 6 and 9 of 0 to 9 are lost.
        let values: [Int64?] = (0..<10).map { [2, 5, 6, 9].contains($0) ? nil : 1 }
        let pattern = LossPattern(stream(values))
        #expect(pattern.periods.sorted == [1, 1, 2] && pattern.distances.sorted == [1, 3, 3])
        // Between two turns there is no distance.
        let turns = LossPattern(stream([1, nil], round: 0) + stream([nil, 1], round: 1))
        #expect(turns.periods.sorted == [1, 1] && turns.distances.sorted.isEmpty)
        #expect(LossPattern(stream([1, 2])).periods.count == 0)
    }

    @Test(arguments: [
        // scipy.stats.chi2.ppf(0.95, 2 * (n + 1)) / 2; without an event the rule of three.
        (0, 3.0), (1, 4.743_865), (2, 6.295_794), (10, 16.962_22), (100, 118.078_6),
    ])
    func `the bound of a rate is that of Garwood`(events: Int, bound: Double) throws {
        let found = try #require(LapseRate.upperBound(events: events, seconds: 1))
        #expect(abs(found - bound) < 0.01 * bound, "\(found)")
        #expect(try #require(LapseRate.upperBound(events: events, seconds: 60)) * 60 == found)
        #expect(LapseRate.upperBound(events: events, seconds: 0) == nil)
    }
}
