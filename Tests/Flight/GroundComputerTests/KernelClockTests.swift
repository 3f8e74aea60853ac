import Testing

@testable import GroundComputer

/// What a report says of how this computer's clock is kept.
@Suite struct KernelClockTests {
    @Test func `a clock that somebody keeps says how far it may be off, and another that nobody does`() {
        var clock = KernelClock(
            isSynchronized: true, offsetNanoseconds: -12_000, frequencyPPM: -7.25, largestErrorMicroseconds: 3200,
            estimatedErrorMicroseconds: 80)
        #expect(
            clock.text
                == "synchronised (adjtimex), error at most 3.200 ms, estimated 0.080 ms, -0.012 ms to be corrected, "
                + "runs -7.250 ppm off its crystal")
        clock.isSynchronized = false
        #expect(clock.text == "not synchronised (adjtimex), runs -7.250 ppm off its crystal")
    }

    @Test func `the kernel of this computer says it`() throws {
        #if os(Linux)
            let clock = try #require(KernelClock.now)
            // The kernel lets nobody run a clock faster or slower than that.
            #expect(abs(clock.frequencyPPM) <= 500 && clock.largestErrorMicroseconds >= 0)
        #else
            #expect(KernelClock.now == nil)
        #endif
    }

    @Test func `who keeps the clock is known by what they leave in the system`() {
        func keepers(_ paths: [String]) -> String? {
            ComputerFacts(read: { _ in nil }, exists: { paths.contains($0) }).clockFacts(at: "the start")
                .first { $0.name == "clock kept by" }?.value
        }
        #expect(keepers(["/run/chrony/chronyd.pid", "/var/run/ptp4l"]) == "chrony, ptp4l")
        #expect(keepers(["/run/systemd/timesync/synchronized"]) == "systemd-timesyncd")
        #expect(keepers([]) == "nobody that is known")
    }
}
