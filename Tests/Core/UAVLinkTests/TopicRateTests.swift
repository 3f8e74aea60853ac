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
        var meter = TopicRateMeter(["a"])
        #expect(reported(meter, at: time(50)) == nil)
        run(&meter, hertz: 100, from: 0, to: 0.9)
        #expect(reported(meter, at: time(0.9)) == nil)
    }

    @Test(arguments: [0.1, 0.5, 1, 10, 41, 80, 110, 200, 350])
    func `a steady rate is reported as it is`(_ hertz: Double) throws {
        var meter = TopicRateMeter(["a"])
        let end = max(30, 20 / hertz)
        run(&meter, hertz: hertz, from: 0, to: end)
        let rate = try #require(reported(meter, at: time(end))?.first)
        #expect(abs(rate.measuredHertz - hertz) < max(0.13 * hertz, hertz < 0.5 ? 0.02 : 0.13), "\(rate.measuredHertz)")
        #expect(rate.condition == .good && abs((rate.expectedHertz ?? 0) - hertz) < 0.05 * hertz)
    }

    @Test func `one that falls is slow within the window, one that stops is silent after it`() throws {
        var meter = TopicRateMeter(["a", "b"])
        for second in 0..<10 {
            run(&meter, 0, hertz: 100, from: Double(second), to: Double(second + 1))
            run(&meter, 1, hertz: 10, from: Double(second), to: Double(second + 1))
        }
        run(&meter, 0, hertz: 33, from: 10, to: 13.5)
        let rates = try #require(reported(meter, at: time(13.5)))
        #expect(abs(rates[0].measuredHertz - 33) < 5 && rates[0].condition == .slow)
        #expect(rates[1].measuredHertz == 0 && rates[1].condition == .silent && rates[1].isSlow)
        run(&meter, 0, hertz: 100, from: 13.5, to: 17)
        let again = try #require(reported(meter, at: time(17))?.first)
        #expect(again.condition == .good && !again.isSlow)
    }

    @Test func `a message more or less a second does not make a slow topic jump`() throws {
        var meter = TopicRateMeter(["a"])
        // Once a second, a tenth early or late.
        for second in 0..<60 { meter.count(0, at: time(Double(second) + (second.isMultiple(of: 2) ? 0.1 : 0))) }
        for tenth in 0..<100 {
            let rate = try #require(reported(meter, at: time(59.1 + Double(tenth) / 1000))?.first)
            #expect(!rate.isSlow, "\(rate.measuredHertz)")
        }
    }

    @Test func `no more topics than the limit, and none that is not in the list`() throws {
        var meter = TopicRateMeter((0..<40).map { "t\($0)" })
        meter.count(-1, at: time(0))
        for topic in 0..<50 { meter.count(topic, at: time(0.5)) }
        let rates = try #require(reported(meter, at: time(2)))
        #expect(rates.count == TopicRate.maximumCount && rates.allSatisfy { $0.measuredHertz > 0 && !$0.isSlow })
    }

    @Test func `a clock may begin below zero`() throws {
        var meter = TopicRateMeter(["a"])
        run(&meter, hertz: 10, from: -20, to: -5)
        #expect(abs(try #require(reported(meter, at: time(-5))?.first).measuredHertz - 10) < 1.3)
    }

    @Test func `after a silence of all topics what is usual is learned anew, of one topic alone it is not`() throws {
        var meter = TopicRateMeter(["a", "b"])
        for second in 0..<20 {
            run(&meter, 0, hertz: 100, from: Double(second), to: Double(second + 1))
            // The second topic pauses for eight seconds.
            if second < 8 || second >= 16 { run(&meter, 1, hertz: 20, from: Double(second), to: Double(second + 1)) }
        }
        #expect(try #require(reported(meter, at: time(20))).map(\.condition) == [.good, .good])
        // The flight stack is started again, with other rates.
        for second in 30..<40 {
            run(&meter, 0, hertz: 25, from: Double(second), to: Double(second + 1))
            run(&meter, 1, hertz: 5, from: Double(second), to: Double(second + 1))
        }
        let rates = try #require(reported(meter, at: time(40)))
        #expect(rates.map(\.condition) == [.good, .good])
        #expect(abs((rates[0].expectedHertz ?? 0) - 25) < 1 && abs((rates[1].expectedHertz ?? 0) - 5) < 0.3)
    }

    @Test func `a topic that never comes is not judged`() throws {
        var meter = TopicRateMeter(["a", "b"])
        run(&meter, 0, hertz: 10, from: 0, to: 60)
        let rates = try #require(reported(meter, at: time(60)))
        #expect(rates[1].isAbsent && rates[1].condition == .unjudged && rates[1].expectedHertz == nil)
        #expect(!rates[0].isAbsent)
    }

    @Test func `times beyond all measure do no harm`() {
        var meter = TopicRateMeter(["a"])
        for nanoseconds in [0, Int64.min, .max, 7, .min] {
            meter.count(0, at: MonotonicTime(nanoseconds: nanoseconds))
            _ = meter.rates(at: MonotonicTime(nanoseconds: nanoseconds))
            _ = meter.rates(at: MonotonicTime(nanoseconds: .max))
        }
    }
}
