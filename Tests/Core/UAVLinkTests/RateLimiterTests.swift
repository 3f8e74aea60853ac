import Testing
import UAVLink

@Suite("Passing values on at a rate") struct RateLimiterTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    /// What is handed on in ten seconds, asked whenever something comes and perhaps at each deadline; milliseconds.
    ///
    /// - Parameter phase: when the source begins.
    private func handedOn(
        every source: Duration?, jitter: Duration = .zero, phase: Duration = .zero, atDeadlines: Bool = true
    ) -> [(at: Double, age: Double)] {
        var pacer = RateLimiter(period: .milliseconds(20), start: Self.start)
        let end = Self.start + .seconds(10)
        var arrivals: [MonotonicTime] = []
        if let source {
            var number = 0
            while let next = Optional(Self.start + phase + source * number), next < end {
                // Late by turns, by an irregular pattern.
                arrivals.append(next + jitter * Double(number * 7 % 5) / 4)
                number += 1
            }
        }
        var handed: [(at: Double, age: Double)] = []
        var (now, newest, hasUpdate) = (Self.start, Self.start, false)
        while now < end {
            if let arrival = arrivals.first, arrival <= now {
                arrivals.removeFirst()
                (newest, hasUpdate) = (arrival, true)
            }
            if pacer.takes(now: now, updateAt: hasUpdate ? newest : nil) {
                handed.append(((now - Self.start).inSeconds * 1000, (now - newest).inSeconds * 1000))
                hasUpdate = false
            }
            let deadline = atDeadlines ? pacer.deadline(hasUpdate: hasUpdate) : end
            #expect(deadline > now)
            now = arrivals.first.map { min($0, deadline) } ?? deadline
        }
        return handed
    }

    @Test(arguments: [1.0, 2.0, 10.0, 16.67, 20.0])
    func `values pass at the rate, and none is older than the source makes it`(_ source: Double) throws {
        let handed = handedOn(every: .microseconds(Int64(source * 1000)))
        // One that is a little faster is followed.
        #expect((490...605).contains(handed.count), "\(handed.count)")
        #expect(handed.allSatisfy { $0.age < min(source, 6) })
    }

    @Test(arguments: 0..<20)
    func `whenever the source begins, nothing waits after a few periods`(_ phase: Int) {
        let handed = handedOn(every: .milliseconds(20), phase: .milliseconds(Int64(phase)))
        #expect((498...502).contains(handed.count), "\(handed.count)")
        #expect(handed.dropFirst(6).allSatisfy { $0.age == 0 }, "\(handed.prefix(10))")
    }

    @Test(arguments: [1.0, 2.0, 10.0, 16.67, 20.0])
    func `asked when something comes, it takes what has just come`(_ source: Double) throws {
        let handed = handedOn(every: .microseconds(Int64(source * 1000)), atDeadlines: false)
        #expect((480...505).contains(handed.count), "\(handed.count)")
        #expect(handed.allSatisfy { $0.age == 0 })
    }

    @Test func `of twice as many each second goes, at the instant at which it came`() {
        let handed = handedOn(every: .milliseconds(10), atDeadlines: false)
        #expect(handed.allSatisfy { $0.age == 0 })
        let steps = zip(handed, handed.dropFirst()).map { $1.at - $0.at }
        #expect(steps.allSatisfy { abs($0 - 20) < 0.001 })
    }

    @Test func `jitter of the source costs neither rate nor freshness`() {
        let handed = handedOn(every: .milliseconds(10), jitter: .milliseconds(3))
        #expect((480...605).contains(handed.count), "\(handed.count)")
        #expect(handed.allSatisfy { $0.age <= 10 })
    }

    @Test(arguments: [25.0, 29.0, 33.0, 100.0])
    func `values that are rarer than the rate never wait`(_ source: Double) {
        let handed = handedOn(every: .microseconds(Int64(source * 1000)))
        let fresh = handed.count { $0.age == 0 }
        #expect(fresh == Int((10_000 / source).rounded(.up)), "\(fresh)")
    }

    @Test func `without a new value the last is repeated`() {
        let handed = handedOn(every: nil)
        #expect((320...340).contains(handed.count), "\(handed.count)")
    }

    @Test func `after a restart the next is due at once`() {
        var pacer = RateLimiter(period: .milliseconds(20), start: Self.start)
        let first = pacer.takes(now: Self.start, updateAt: Self.start)
        let tooEarly = pacer.takes(now: Self.start + .milliseconds(1), updateAt: Self.start)
        pacer.restart(now: Self.start + .milliseconds(2))
        let again = pacer.takes(now: Self.start + .milliseconds(2), updateAt: nil)
        #expect(first && !tooEarly && again)
    }
}
