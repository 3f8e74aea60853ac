import Testing
import UAVLink

@testable import SocketTransport

/// How many TCP connections the companion accepts in a time: each takes some of the time of the thread that steers.
@Suite struct AcceptRateLimiterTests {
    private let start = MonotonicTime(nanoseconds: 10_000_000_000)

    /// How many are accepted at an instant, however many wait.
    private func taken(from pace: inout AcceptRateLimiter, at now: MonotonicTime) -> Int {
        var count = 0
        while count < 10_000, pace.take(now: now) { count += 1 }
        return count
    }

    @Test func `a burst is accepted at once, and then as many in a second as may be`() {
        var pace = AcceptRateLimiter()
        let burst = taken(from: &pace, at: start)
        #expect(burst == AcceptRateLimiter.burst)
        #expect(pace.nextAt > start)
        var count = 0
        for millisecond in 1...1000 { count += taken(from: &pace, at: start + .milliseconds(millisecond)) }
        #expect((AcceptRateLimiter.most - 1...AcceptRateLimiter.most + 1).contains(count), "\(count)")
        // Time in which nobody comes allows no more than a burst.
        let later = taken(from: &pace, at: start + .seconds(3600))
        #expect(later == AcceptRateLimiter.burst)
    }

    @Test func `where the system has nothing left it is not asked again for a while`() {
        var pace = AcceptRateLimiter()
        let first = pace.take(now: start)
        #expect(first)
        pace.rest(now: start)
        let during = taken(from: &pace, at: start + AcceptRateLimiter.rest - .milliseconds(1))
        #expect(during == 0)
        #expect(pace.nextAt == start + AcceptRateLimiter.rest)
        let after = taken(from: &pace, at: start + AcceptRateLimiter.rest)
        #expect(after > 0)
    }

    @Test func `a permit that was not needed is given back`() {
        var pace = AcceptRateLimiter()
        for _ in 0..<10_000 {
            let isAllowed = pace.take(now: start)
            guard isAllowed else {
                Issue.record("nobody came, and the permits are used up")
                return
            }
            pace.giveBack()
        }
    }
}
