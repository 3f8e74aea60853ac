import Statistics
import Testing

/// Fixed data of a heavy tail, made by a recurrence that any language can repeat: x' = x * 6364136223846793005 + 1442695040888963407.
enum FixedData {
    static func values(_ count: Int, seed: UInt64 = 1) -> [Int64] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let unit = state >> 33
            // Mostly 1 to 2 million, one of 64 up to 64 times as much.
            return Int64(1_000_000 + unit % 1_000_000) * (unit % 64 == 0 ? Int64(1 + (unit >> 20) % 64) : 1)
        }
    }
}

@Suite struct SamplesTests {
    @Test func `nothing has no figures`() {
        let samples = Samples([])
        #expect(samples.median == nil && samples.mean == nil && samples.standardDeviation == nil)
        #expect(samples.minimum == nil && samples.value(at: .p99) == nil && samples.reported(.p50) == nil)
    }

    @Test func `a percentile is a value that was measured, by nearest rank`() {
        let samples = Samples([50, 15, 40, 20, 35])
        #expect(samples.value(at: .p50) == 35)
        #expect(samples.value(at: .p90) == 50)
        #expect(samples.median == 35)
        let even = Samples([4, 1, 3, 2])
        #expect(even.median == 2)
    }

    @Test func `99.9 percent of a thousand is the 999th, not the 1000th`() {
        let samples = Samples((1...1000).map { Int64($0) })
        #expect(samples.value(at: .p999) == 999)
        #expect(samples.value(at: .p9999) == 1000)
    }

    @Test(arguments: [
        (Percentile.p50, 6), (.p90, 30), (.p99, 300), (.p999, 3000), (.p9999, 30_000),
    ])
    func `a run that is too short leaves a percentile out`(percentile: Percentile, least: Int) {
        #expect(percentile.minimumCount == least)
        #expect(Samples(FixedData.values(least)).reported(percentile) != nil)
        #expect(Samples(FixedData.values(least - 1)).reported(percentile) == nil)
    }

    @Test(arguments: [("p50", 50_000), ("p99.9", 99_900), ("p99.99", 99_990), ("p99.999", 99_999), ("p5", 5000)])
    func `percentiles are named as people write them`(name: String, thousandths: Int) {
        #expect(Percentile(thousandths: thousandths)?.description == name)
    }

    @Test func `no percentile beyond a hundred, none of zero`() {
        #expect(Percentile(thousandths: 0) == nil && Percentile(thousandths: 100_001) == nil)
    }

    @Test func `the share up to a value counts that value`() {
        let samples = Samples([1, 2, 2, 3])
        #expect(samples.share(upTo: 0) == 0 && samples.share(upTo: 2) == 0.75 && samples.share(upTo: 9) == 1)
    }

    @Test func `a constant value has a median without width`() {
        let interval = Bootstrap().median(Samples(Array(repeating: 7, count: 50)))
        #expect(interval == Bootstrap.Interval(low: 7, high: 7))
    }

    @Test func `the same run gives the same interval`() {
        let samples = Samples(FixedData.values(500))
        #expect(Bootstrap().median(samples) == Bootstrap().median(samples))
    }

    @Test func `too few values have no interval`() {
        #expect(Bootstrap().median(Samples(FixedData.values(9))) == nil)
        #expect(
            Bootstrap().ratioOfMedians(Samples(FixedData.values(50)), over: Samples([0] + FixedData.values(50))) == nil)
    }

    @Test func `the interval of a median holds the true median about as often as it says`() {
        var random = SeededRandom(seed: 42)
        var held = 0
        for run in 0..<400 {
            let samples = Samples((0..<101).map { _ in Int64(1e6 * random.unit()) })
            guard let interval = Bootstrap(rounds: 400, seed: UInt64(run)).median(samples) else { continue }
            if interval.low <= 500_000, 500_000 <= interval.high { held += 1 }
        }
        #expect((365...395).contains(held), "\(held) of 400")
    }
}
