import Testing
import UAVLink

@Suite("Rates of topics") struct TopicRateTests {
    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    private func reported(_ meter: TopicRateMeter, at now: MonotonicTime) -> [TopicRate]? {
        var meter = meter
        return meter.rates(at: now)
    }

    /// Lets messages come at a rate from one second to another.
    private func run(
        _ meter: inout TopicRateMeter, _ topic: Int = 0, hertz: Double, from: Double, to: Double
    ) {
        for number in 0..<Int((to - from) * hertz) { meter.count(topic, at: time(from + Double(number) / hertz)) }
    }

    @Test func `nothing is reported in the first second`() {
        var meter = TopicRateMeter([("a", 100)])
        #expect(reported(meter, at: time(50)) == nil)
        run(&meter, hertz: 100, from: 0, to: 0.9)
        #expect(reported(meter, at: time(0.9)) == nil)
    }

    @Test(arguments: [0.5, 1, 10, 41, 110, 350])
    func `a steady rate is reported as it is`(_ hertz: Double) throws {
        var meter = TopicRateMeter([("a", hertz)])
        run(&meter, hertz: hertz, from: 0, to: 30)
        let rate = try #require(reported(meter, at: time(30))?.first)
        #expect(abs(rate.measuredHertz - hertz) < max(0.13 * hertz, 0.13), "\(rate.measuredHertz)")
        #expect(!rate.isSlow)
    }

    @Test func `one that falls is slow within the window, one that stops is silent after it`() throws {
        var meter = TopicRateMeter([("a", 100), ("b", 10)])
        run(&meter, 0, hertz: 100, from: 0, to: 10)
        run(&meter, 0, hertz: 40, from: 10, to: 12.5)
        run(&meter, 1, hertz: 10, from: 0, to: 10)
        let rates = try #require(reported(meter, at: time(12.5)))
        #expect(abs(rates[0].measuredHertz - 40) < 5 && rates[0].isSlow)
        #expect(rates[1].measuredHertz == 0 && rates[1].isSlow)
        run(&meter, 0, hertz: 100, from: 12.5, to: 15)
        let again = try #require(reported(meter, at: time(15))?.first)
        #expect(!again.isSlow)
    }

    @Test func `a message more or less a second does not make a slow topic jump`() throws {
        var meter = TopicRateMeter([("a", 1)])
        // Once a second, a tenth early or late.
        for second in 0..<60 { meter.count(0, at: time(Double(second) + (second.isMultiple(of: 2) ? 0.1 : 0))) }
        for tenth in 0..<100 {
            let rate = try #require(reported(meter, at: time(59.1 + Double(tenth) / 1000))?.first)
            #expect(!rate.isSlow, "\(rate.measuredHertz)")
        }
    }

    @Test func `no more topics than the limit, and none that is not in the list`() throws {
        var meter = TopicRateMeter((0..<40).map { ("t\($0)", nil) })
        meter.count(-1, at: time(0))
        for topic in 0..<50 { meter.count(topic, at: time(0.5)) }
        let rates = try #require(reported(meter, at: time(2)))
        #expect(rates.count == TopicRate.maximumCount && rates.allSatisfy { $0.measuredHertz > 0 && !$0.isSlow })
    }

    @Test func `a clock may begin below zero`() throws {
        var meter = TopicRateMeter([("a", 10)])
        run(&meter, hertz: 10, from: -20, to: -5)
        #expect(abs(try #require(reported(meter, at: time(-5))?.first).measuredHertz - 10) < 1.3)
    }
}
