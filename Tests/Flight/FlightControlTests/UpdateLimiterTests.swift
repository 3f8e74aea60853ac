import FlightControl
import Testing
import UAVTestKit

@MainActor
@Suite("The rate limiter between telemetry and screen")
struct UpdateLimiterTests {
    private let timeSource = FakeTimeSource()
    private let calls = Calls()

    @MainActor
    private final class Calls {
        var all: [String] = []
        func count(_ name: String) -> Int { all.count { $0 == name } }
    }

    @Test("a change every 10 ms calls each observer at its own rate, and never inside the announcement")
    func rates() async {
        let limiter = UpdateLimiter(timeSource: timeSource)
        let fast = limiter.observe(.telemetry, atMostEvery: .milliseconds(50)) { [calls] in calls.all.append("fast") }
        let slow = limiter.observe(.telemetry, atMostEvery: .milliseconds(200)) { [calls] in calls.all.append("slow") }
        limiter.announce()
        #expect(calls.all.isEmpty)
        for _ in 0..<100 {
            limiter.announce()
            await timeSource.beat(.milliseconds(10))
        }
        #expect(calls.count("fast") == 20)
        #expect(calls.count("slow") == 5)
        fast.end()
        slow.end()
        limiter.announce()
        await timeSource.beat()
        #expect(calls.all.count == 25 && timeSource.pauses == 0)
    }

    @Test("what arrives on other threads is announced once for each call, also before anybody observes")
    func arrivals() async {
        let limiter = UpdateLimiter(timeSource: timeSource)
        await Task.detached { for _ in 0..<10 { limiter.arrived() } }.value
        await timeSource.beat()
        let screen = limiter.observe(.telemetry, atMostEvery: .milliseconds(50)) { [calls] in calls.all.append("show") }
        await timeSource.beat(.seconds(1))
        #expect(calls.all.isEmpty)
        for _ in 0..<100 {
            await Task.detached { for _ in 0..<10 { limiter.arrived() } }.value
            await timeSource.beat(.milliseconds(10))
        }
        #expect(calls.count("show") == 21)
        // What arrives right after a call is shown by the next one.
        limiter.arrived()
        await timeSource.beat(.seconds(1))
        #expect(calls.count("show") == 22)
        withExtendedLifetime(screen) {}
    }

    @Test("without a change an observer is called at its longest interval; without one, not at all")
    func silence() async {
        let limiter = UpdateLimiter(timeSource: timeSource)
        let beats = limiter.observe(.telemetry, atMostEvery: .milliseconds(20), atLeastEvery: .milliseconds(50)) {
            [calls] in calls.all.append("beat")
        }
        let silent = limiter.observe(.telemetry, atMostEvery: .milliseconds(20)) { [calls] in calls.all.append("new") }
        await timeSource.beat(.seconds(1))
        #expect(calls.count("beat") == 20 && calls.count("new") == 0)
        // After a pause the first change is not delayed.
        limiter.announce()
        await timeSource.beat(.zero)
        #expect(calls.count("new") == 1)
        withExtendedLifetime((beats, silent)) {}
    }

    @Test("what an observer of telemetry shows is drawn in the same step, and drawing follows its own requests only")
    func drawing() async {
        let limiter = UpdateLimiter(timeSource: timeSource)
        let drawing = limiter.observe(.drawing, atMostEvery: .milliseconds(33)) { [calls] in calls.all.append("draw") }
        let screen = limiter.observe(.telemetry, atMostEvery: .milliseconds(100)) { [calls, weak drawing] in
            calls.all.append("show")
            drawing?.request()
        }
        await timeSource.beat(.milliseconds(100))
        limiter.announce()
        await timeSource.beat(.zero)
        #expect(calls.all == ["show", "draw"])
        // Keys are drawn at once after a pause, then at the rate of frames.
        await timeSource.beat(.milliseconds(50))
        for _ in 0..<10 {
            drawing.request()
            await timeSource.beat(.milliseconds(10))
        }
        #expect(calls.count("draw") == 1 + 4)
        #expect(calls.count("show") == 1)
        withExtendedLifetime(screen) {}
    }

    @Test("another vehicle is shown at once; an observer that is released is called no more")
    func urgent() async {
        let limiter = UpdateLimiter(timeSource: timeSource)
        do {
            let screen = limiter.observe(.telemetry, atMostEvery: .seconds(10)) { [calls] in calls.all.append("show") }
            limiter.announce(isUrgent: true)
            await timeSource.beat(.zero)
            #expect(calls.all == ["show"])
            withExtendedLifetime(screen) {}
        }
        limiter.announce(isUrgent: true)
        await timeSource.beat(.seconds(60))
        #expect(calls.all == ["show"] && timeSource.pauses == 0)
    }
}
