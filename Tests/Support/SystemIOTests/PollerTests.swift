import Testing

@testable import SystemIO

@Suite struct PollerTests {
    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(-1), 0), (.seconds(Int64.min), 0), (.nanoseconds(1), 1),
            (.microseconds(999), 1), (.milliseconds(1), 1), (.nanoseconds(1_000_001), 2), (.milliseconds(1999), 1999),
            (.seconds(59), 59_000), (.seconds(60), 60_000), (.nanoseconds(59_999_999_999), 60_000),
            (.nanoseconds(60_000_000_001), 60_000), (.seconds(Int64.max), 60_000),
        ] as [(Duration, Int32)])
    func `a timeout is rounded up to milliseconds, from zero to a minute`(timeout: Duration, milliseconds: Int32) {
        #expect(Poller.milliseconds(timeout) == milliseconds)
    }

    @Test func `without descriptors there is nothing to look at`() {
        var poller = Poller()
        #expect(poller.wait(.zero) == .timedOut)
        #expect(poller.waitPrecisely(.nanoseconds(-1)) == .timedOut)
        #expect(!poller.isReady(0) && !poller.isReady(-1) && poller.readiness(.max).isEmpty)
    }

    @Test func `a negative descriptor is never ready`() {
        var poller = Poller()
        #expect(poller.add(-1, writing: true) == 0)
        #expect(poller.wait(.zero) == .timedOut)
        #expect(!poller.isReady(0))
    }
}
