import Testing
import UAVLink

@Suite("Learning a topic's usual rate") struct TopicRateLearnerTests {
    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    /// Lets messages come at a rate from one second to another, each early or late by turns by a share of an interval.
    private func run(
        _ learner: inout TopicRateLearner, hertz: Double, from: Double, to: Double, jitter: Double = 0
    ) {
        for number in 0..<Int((to - from) * hertz) {
            let late = jitter * Double(number * 7 % 5 - 2) / 4
            learner.arrive(at: time(from + (Double(number) + late) / hertz))
        }
    }

    private func learned(_ hertz: Double) -> TopicRateLearner {
        var learner = TopicRateLearner()
        run(&learner, hertz: hertz, from: 0, to: max(10, 20 / hertz))
        return learner
    }

    @Test(arguments: [0.1, 0.5, 1, 10, 41, 80, 200, 350, 1000])
    func `whatever the rate, it is learned, and is no fault`(_ hertz: Double) throws {
        var learner = TopicRateLearner()
        let end = max(20, 50 / hertz)
        run(&learner, hertz: hertz, from: 0, to: end, jitter: 0.6)
        let usual = try #require(learner.usualHertz)
        #expect(abs(usual - hertz) < hertz * 0.15, "\(usual)")
        for step in 0..<100 {
            let now = end + Double(step) / (100 * hertz)
            #expect(learner.condition(at: time(now)) == .good, "\(now - end) s after the last message")
        }
    }

    @Test func `it is known after five seconds, and nothing is judged before`() {
        var learner = TopicRateLearner()
        #expect(learner.condition(at: time(100)) == .unjudged, "nothing was received")
        run(&learner, hertz: 100, from: 0, to: 4.9)
        #expect(learner.usualHertz == nil && learner.condition(at: time(4.9)) == .unjudged)
        run(&learner, hertz: 100, from: 4.9, to: 5.2)
        #expect(abs((learner.usualHertz ?? 0) - 100) < 1)
    }

    @Test(arguments: [1.0, 10, 41, 350]) func `a third of it is slow, after some slices`(_ hertz: Double) {
        var learner = learned(hertz)
        let begin = max(10, 20 / hertz)
        // Two slices of at least a second and two usual intervals, and the one in which it fell.
        let later = begin + 3 * max(1, 3 / hertz) + 3 / hertz
        run(&learner, hertz: hertz / 3, from: begin, to: later + 3 / hertz)
        #expect([.slow, .silent].contains(learner.condition(at: time(later))))
        run(&learner, hertz: hertz, from: later + 3 / hertz, to: later + 20 * max(1, 1 / hertz))
        #expect(learner.condition(at: time(later + 20 * max(1, 1 / hertz))) == .good)
    }

    @Test func `one second below half of it is not enough, and above half but below 70 percent it stays slow`() {
        var learner = learned(100)
        run(&learner, hertz: 40, from: 10, to: 11)
        #expect(learner.condition(at: time(11)) == .good)
        run(&learner, hertz: 100, from: 11, to: 14)
        #expect(learner.condition(at: time(14)) == .good)
        run(&learner, hertz: 40, from: 14, to: 17)
        #expect(learner.condition(at: time(17)) == .slow)
        run(&learner, hertz: 60, from: 17, to: 25)
        #expect(learner.condition(at: time(25)) == .slow)
        run(&learner, hertz: 90, from: 25, to: 29)
        #expect(learner.condition(at: time(29)) == .good)
        run(&learner, hertz: 60, from: 29, to: 40)
        #expect(learner.condition(at: time(40)) == .good)
    }

    @Test(arguments: [(100.0, 1.0), (10, 1), (2, 1.5), (1, 3), (0.2, 15)])
    func `silence begins after three intervals, a second at least`(_ hertz: Double, _ silence: Double) {
        let learner = learned(hertz)
        let last = max(10, 20 / hertz) - 1 / hertz
        #expect(learner.condition(at: time(last + silence * 0.95)) == .good)
        #expect(learner.condition(at: time(last + silence * 1.05)) == .silent)
    }

    @Test func `a pause is silence, and what comes after it is good again`() {
        var learner = learned(100)
        #expect(learner.condition(at: time(14)) == .silent)
        run(&learner, hertz: 100, from: 14, to: 17)
        #expect(learner.condition(at: time(17)) == .good && abs((learner.usualHertz ?? 0) - 100) < 1)
    }

    @Test func `a burst and a pause among the first messages do not change what is learned`() {
        var learner = TopicRateLearner()
        for _ in 0..<500 { learner.arrive(at: time(0.5)) }
        run(&learner, hertz: 20, from: 0.5, to: 3)
        run(&learner, hertz: 20, from: 4.5, to: 12)
        #expect(abs((learner.usualHertz ?? 0) - 20) < 1, "\(learner.usualHertz ?? 0)")
        #expect(learner.condition(at: time(12)) == .good)
    }

    @Test func `messages that a network delivers several at a time have their rate`() {
        var learner = TopicRateLearner()
        for batch in 0..<400 {
            for _ in 0..<7 { learner.arrive(at: time(Double(batch) * 0.02)) }
        }
        #expect(abs((learner.usualHertz ?? 0) - 350) < 5, "\(learner.usualHertz ?? 0)")
    }

    @Test func `long pauses while it is learned are irregular, and silence is said once it is long enough`() {
        var learner = TopicRateLearner()
        run(&learner, hertz: 20, from: 0, to: 1)
        #expect(learner.condition(at: time(1.5)) == .unjudged)
        run(&learner, hertz: 20, from: 2.4, to: 3)
        #expect(learner.usualHertz == nil && learner.condition(at: time(3)) == .irregular)
        #expect(learner.condition(at: time(6)) == .silent)
        // Of a few messages nothing is said.
        var few = TopicRateLearner()
        run(&few, hertz: 3, from: 0, to: 2)
        #expect(few.condition(at: time(1000)) == .unjudged)
    }

    @Test func `one that was learned on a busy machine rises, for a moment's burst it does not`() {
        var learner = learned(50)
        run(&learner, hertz: 200, from: 10, to: 12)
        run(&learner, hertz: 50, from: 12, to: 16)
        #expect(abs((learner.usualHertz ?? 0) - 50) < 1)
        run(&learner, hertz: 100, from: 16, to: 24)
        #expect(abs((learner.usualHertz ?? 0) - 100) < 1)
        run(&learner, hertz: 33, from: 24, to: 28)
        #expect(learner.condition(at: time(28)) == .slow)
    }

    @Test func `messages without end at one instant, and times that go back or are beyond all measure, do no harm`() {
        var learner = TopicRateLearner()
        for _ in 0..<100_000 { learner.arrive(at: time(1)) }
        #expect(learner.usualHertz == nil)
        let odd = [0, Int64.min, .max, 5, .max, .min, -1].map { MonotonicTime(nanoseconds: $0) }
        for _ in 0..<5 {
            for instant in odd {
                learner.arrive(at: instant)
                for now in odd { _ = learner.condition(at: now) }
            }
        }
        #expect(learner.usualHertz.map { $0.isFinite && $0 > 0 } ?? true)
        learner.forget()
        run(&learner, hertz: 10, from: 0, to: 10)
        #expect(abs((learner.usualHertz ?? 0) - 10) < 0.1)
        // A clock that is set back begins another slice; nothing is faster or slower for it.
        run(&learner, hertz: 10, from: -100, to: -90)
        #expect(abs((learner.usualHertz ?? 0) - 10) < 0.1 && learner.condition(at: time(-90)) == .good)
    }
}

@Suite("A topic's rate and the profile's") struct TopicRateProfileTests {
    private func rate(_ hertz: Double, _ condition: TopicCondition = .good) -> TopicRate {
        TopicRate(name: "hw_api/gnss", measuredHertz: hertz, expectedHertz: 10, condition: condition)
    }

    @Test func `the profile's rate counts instead of the learned one`() {
        let judged = rate(10).judged(against: 41)
        #expect(judged.condition == .slow && judged.expectedHertz == 41 && judged.isFromProfile)
        #expect(rate(10, .slow).judged(against: 12).condition == .good)
        #expect(rate(10).judged(against: nil) == rate(10))
        #expect(rate(0, .silent).judged(against: 41).condition == .silent)
        #expect(rate(0, .unjudged).judged(against: 41).condition == .silent)
    }

    @Test func `between half and 70 percent it stays what it was`() {
        #expect(rate(24).judged(against: 41).condition == .good)
        #expect(rate(24).judged(against: 41, after: .slow).condition == .slow)
        #expect(rate(30).judged(against: 41, after: .slow).condition == .good)
    }

    @Test func `a rare topic may have no message in the window`() {
        #expect(rate(0, .unjudged).judged(against: 0.1).condition == .unjudged)
        #expect(rate(0, .silent).judged(against: 0.1).condition == .silent)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 0, 1e308]) func `no number does harm`(_ odd: Double) {
        for condition in TopicCondition.allCases {
            _ = rate(odd, condition).judged(against: 41)
            #expect(odd == 1e308 || rate(10, condition).judged(against: odd) == rate(10, condition))
        }
    }
}
