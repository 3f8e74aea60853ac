import LatencyStatistics
import Statistics
import Testing

@Suite("Age of information and delay variation") struct FreshnessTests {
    private static let millisecond: Int64 = 1_000_000

    /// A setpoint every 10 ms; delays in milliseconds.
    private func stream(_ values: [Int64?], round: Int = 0, from start: Int64 = 0) -> [DelayObservation] {
        values.enumerated().map { number, value in
            DelayObservation(
                round: round, intendedNanoseconds: (start + Int64(number) * 10) * Self.millisecond,
                nanoseconds: value.map { $0 * Self.millisecond })
        }
    }

    private func age(_ observations: [DelayObservation]) throws -> AgeOfInformation {
        try #require(AgeOfInformation(observations, period: 10 * Self.millisecond))
    }

    @Test func `a steady stream ages from its delay to its delay and a period`() throws {
        let age = try age(stream((0..<100).map { _ in 20 }))
        #expect(age.meanNanoseconds == 25e6 && age.maximumNanoseconds == 30e6)
        #expect(abs(age.p99Nanoseconds - 29.9e6) <= 1)
        #expect(age.lengthNanoseconds == 1000e6)
        #expect(Set(age.gaps.sorted) == [10 * Self.millisecond] && age.gaps.count == 100)
    }

    @Test func `what is lost makes the one before it older`() throws {
        // 30 of a hundred in a row: the age rises to 20 + 310 ms.
        let age = try age(stream((0..<100).map { (40..<70).contains($0) ? nil : 20 }))
        #expect(age.maximumNanoseconds == 330e6 && age.gaps.maximum == 310 * Self.millisecond)
        // 69 teeth of 10 ms about 25 ms, and one of 310 ms about 175 ms.
        #expect(abs(age.meanNanoseconds - (690 * 25 + 310 * 175) / 1000 * 1e6) < 1)
        #expect(abs(age.p99Nanoseconds - 320e6) <= 1)
    }

    @Test func `one that arrives after a newer one changes nothing`() throws {
        var values: [Int64?] = (0..<50).map { _ in 20 }
        values[20] = 90
        let late = try age(stream(values))
        values[20] = nil
        #expect(try age(stream(values)) == late)
    }

    @Test func `a turn in which nothing arrives grows old`() throws {
        let age = try age(stream([nil, nil, nil, nil]))
        #expect(age.maximumNanoseconds == 40e6 && age.meanNanoseconds == 20e6)
        // So do the first setpoints that are lost.
        let begin = try self.age(stream([nil, nil, 5, 5]))
        #expect(begin.maximumNanoseconds == 25e6)
    }

    @Test func `the time between turns is no age`() throws {
        let one = try age(stream((0..<50).map { _ in 20 }))
        let two = try age(
            stream((0..<50).map { _ in 20 }) + stream((0..<50).map { _ in 20 }, round: 1, from: 60_000))
        #expect(two.maximumNanoseconds == one.maximumNanoseconds && two.meanNanoseconds == one.meanNanoseconds)
        #expect(AgeOfInformation([], period: 1) == nil)
        #expect(AgeOfInformation(stream([1]), period: 0) == nil)
    }

    @Test func `times that cannot be added up end nothing`() {
        let wild = [Int64.min, 0, .max].map {
            DelayObservation(intendedNanoseconds: $0, nanoseconds: Int64.max)
        }
        _ = AgeOfInformation(wild, period: .max)
        _ = DelayVariation(wild)
        _ = LossPattern(wild)
        #expect(ClusterBootstrap().median(RoundValues(wild)) == nil)
    }

    @Test func `variation is above the smallest of the turn, and differences are within it`() throws {
        let variation = DelayVariation(stream([20, 23, 21]) + stream([120, 121], round: 1, from: 1000))
        #expect(variation.packetDelayVariation.sorted == [0, 0, 1, 1, 3].map { $0 * Self.millisecond })
        #expect(variation.betweenPackets.sorted == [1, 2, 3].map { $0 * Self.millisecond })
        // 3, then 2, then 1 ms by RFC 3550; the mean of the three estimates.
        let first = 3e6 / 16
        let second = first + (2e6 - first) / 16
        let third = second + (1e6 - second) / 16
        #expect(variation.meanInterarrivalJitter == (first + second + third) / 3)
        #expect(DelayVariation(stream([5, nil])).meanInterarrivalJitter == nil)
    }
}
