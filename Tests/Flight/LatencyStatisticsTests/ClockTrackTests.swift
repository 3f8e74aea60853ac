import Statistics
import Testing

@testable import LatencyStatistics

/// Two clocks that run apart, and exchanges of timestamps over a network whose two ways differ.
@Suite struct ClockTrackTests {
    /// Their clock minus ours at an instant, nanoseconds.
    private typealias Truth = @Sendable (Int64) -> Double

    private static let second: Int64 = 1_000_000_000

    /// An exchange every 100 ms. The ways take from 50 us, with tails that differ: 40 us up and 400 us down on average.
    private static func exchanges(_ truth: Truth, seconds: Int64, seed: UInt64) -> [ClockExchangeSample] {
        var random = SeededRandom(seed: seed)
        func way(_ tail: Double) -> Int64 { 50_000 + Int64(-tail * Double.random(in: 1e-9..<1, using: &random).log) }
        return (0..<seconds * 10).map { index in
            let sent = index * second / 10
            let there = sent + way(40_000)
            let held = Int64.random(in: 0...100_000_000, using: &random)
            let back = there + held + way(400_000)
            let (received, answered) = (there + Int64(truth(there)), there + held + Int64(truth(there + held)))
            return ClockExchangeSample(
                at: (sent + back) / 2, offset: (received - sent + answered - back) / 2,
                roundTrip: back - sent - (answered - received), held: answered - received)
        }
    }

    /// The share of samples, one every 10 ms, whose offset is within its bound; and the largest bound.
    private static func check(_ truth: Truth, seconds: Int64, seed: UInt64) throws -> (within: Double, bound: Int64) {
        let track = try #require(ClockTrack(exchanges(truth, seconds: seconds, seed: seed)))
        var (within, bound, count) = (0, Int64(0), 0)
        for instant in stride(from: 0, to: seconds * second, by: 10_000_000) {
            let reading = track.reading(at: instant)
            if abs(Double(reading.offset) - truth(instant)) <= Double(reading.bound) + 1 { within += 1 }
            bound = max(bound, reading.bound)
            count += 1
        }
        return (Double(within) / Double(count), bound)
    }

    /// One offset for the whole run, that of its end, would be wrong by 6 and 24 ms at its beginning.
    @Test(arguments: [-200e-6, -50e-6, 0, 50e-6, 200e-6], [UInt64(1), 2])
    func `the offset is within its bound in nearly every sample, however far the clocks run apart`(
        _ skew: Double, _ seed: UInt64
    ) throws {
        let (within, bound) = try Self.check({ 7.3e12 + skew * Double($0) }, seconds: 120, seed: seed)
        #expect(within >= 0.999, "\(within)")
        // The quickest exchanges of a second take some 150 us: what a bound says is more than that it holds.
        #expect(bound < 120_000, "\(bound) ns")
    }

    @Test func `so it is with a clock whose skew wanders, and with one that is slewed meanwhile`() throws {
        let wandering = try Self.check(
            { -5e9 + 50e-6 * Double($0) + 500 * (Double($0) / 6e10) * (Double($0) / 6e10) }, seconds: 120, seed: 3)
        #expect(wandering.within >= 0.999 && wandering.bound < 150_000, "\(wandering)")
        let slewed = try Self.check(
            { 1e9 + (Double($0) < 5e10 ? 0 : 400e-6 * (Double($0) - 5e10)) }, seconds: 100, seed: 4)
        #expect(slewed.within >= 0.999 && slewed.bound < 600_000, "\(slewed)")
    }

    @Test func `the bound grows where there was no exchange`() throws {
        let all = Self.exchanges({ 50e-6 * Double($0) }, seconds: 200, seed: 5)
        let gap = try #require(ClockTrack(all.filter { $0.at < 40 * Self.second || $0.at > 160 * Self.second }))
        let (near, far) = (gap.reading(at: 20 * Self.second), gap.reading(at: 100 * Self.second))
        #expect(far.bound > near.bound && abs(far.offset - 5_000_000) <= far.bound)
    }

    @Test func `of one exchange it knows what it says, and what two clocks can drift`() throws {
        let one = try #require(ClockTrack([ClockExchangeSample(at: 0, offset: 100, roundTrip: 1000)]))
        #expect(abs(one.reading(at: 0).offset - 100) <= 1 && (500...505).contains(one.reading(at: 0).bound))
        #expect((500_000...500_600).contains(one.reading(at: Self.second).bound))
        #expect(ClockTrack([]) == nil)
        let constant = ClockTrack(constant: ClockReading(offset: 5, bound: 7)).reading(at: .max)
        #expect(constant == ClockReading(offset: 5, bound: 7))
    }

    @Test func `stamps of any value give a reading, and no trap`() throws {
        let extremes = [Int64.min, -1, 0, 1, .max]
        for at in extremes {
            for offset in extremes {
                let track = try #require(
                    ClockTrack([
                        ClockExchangeSample(at: at, offset: offset, roundTrip: .max, held: .max),
                        ClockExchangeSample(at: 0, offset: 0, roundTrip: 0),
                    ]))
                for instant in extremes { _ = track.reading(at: instant) }
            }
        }
    }
}

extension Double {
    /// The natural logarithm.
    fileprivate var log: Double {
        // By halving the exponent: the tests' other targets need no mathematics library.
        var (value, result) = (self, 0.0)
        while value < 0.5 {
            value *= 2
            result -= 0.6931471805599453
        }
        let z = (value - 1) / (value + 1)
        return result + 2 * (z + z * z * z / 3 + z * z * z * z * z / 5)
    }
}
