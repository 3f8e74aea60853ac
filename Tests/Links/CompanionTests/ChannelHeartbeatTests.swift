import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

@Suite struct ChannelHeartbeatTests {
    private let clock = FakeClock()

    @Test func `it beats once a period, however often the thread comes round`() {
        let beats = Atomic<Int>(0)
        let pulse = ChannelHeartbeat(every: .seconds(2)) { beats.add(1, ordering: .relaxed) }
        let start = clock.now
        #expect(pulse.turn(at: start) == start + .seconds(2))
        for step in 1..<200 { #expect(pulse.turn(at: start + .milliseconds(10) * step) == start + .seconds(2)) }
        #expect(beats.load(ordering: .relaxed) == 1)
        #expect(pulse.turn(at: start + .seconds(3)) == start + .seconds(5))
        #expect(beats.load(ordering: .relaxed) == 2)
        #expect(pulse.count == 201)
    }

    @Test func `a companion's tick wants to be called in time for it, and for the lease no later`() {
        let pulse = ChannelHeartbeat(every: .milliseconds(500))
        let companion = Companion(.init(vehicle: "uav1"), backend: FakeLink(), pulse: pulse, clock: clock)
        #expect(companion.tick(now: clock.now) == clock.now + .milliseconds(500))
        let silent = Companion(.init(vehicle: "uav1"), backend: FakeLink(), clock: clock)
        #expect(silent.tick(now: clock.now) == nil)
    }

    /// A watchdog over a pulse, and what it found.
    private struct Watched {
        let pulse = ChannelHeartbeat(every: .milliseconds(500))
        let watchdog: ChannelWatchdog
        let found = Found()

        final class Found: Sendable {
            let hangs = Atomic<Bool>(false)
        }

        init(_ clock: FakeClock) throws {
            let found = found
            watchdog = try ChannelWatchdog(over: pulse, clock: clock) { found.hangs.store(true, ordering: .relaxed) }
        }

        var hangs: Bool { found.hangs.load(ordering: .relaxed) }
    }

    @Test func `a thread that comes round is let be, one that does not is found after five seconds`() async throws {
        let watched = try Watched(clock)
        for _ in 0..<100 {
            await clock.run(for: .milliseconds(500))
            _ = watched.pulse.turn(at: clock.now)
        }
        #expect(!watched.hangs)
        await clock.run(for: .milliseconds(4900))
        #expect(!watched.hangs)
        await clock.run(for: .milliseconds(1200))
        #expect(watched.hangs)
    }

    /// The process was stopped (SIGSTOP) or the machine slept: the clock has gone on, and nothing has had its turn.
    @Test func `time in which no thread ran does not count`() async throws {
        let watched = try Watched(clock)
        for _ in 0..<10 {
            await clock.run(for: .milliseconds(900))
            clock.advance(by: .seconds(3600))
            await settle()
            #expect(!watched.hangs)
            _ = watched.pulse.turn(at: clock.now)
        }
        watched.watchdog.stop()
        await clock.run(for: .seconds(20))
        #expect(!watched.hangs)
    }
}
