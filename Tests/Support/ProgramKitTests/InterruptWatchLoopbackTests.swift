import Dispatch
import ProgramKit
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Signals of this process; SIGHUP and SIGTERM, which nothing else here uses meanwhile.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct InterruptWatchLoopbackTests {
    @Test func `a signal right after the watch began is not lost`() {
        for _ in 0..<50 {
            let seen = Seen()
            let watch = InterruptWatch { seen.add($0) }
            kill(getpid(), SIGHUP)
            #expect(seen.waits(for: 1))
            #expect(seen.all == [SIGHUP])
            withExtendedLifetime(watch) {}
        }
    }

    @Test func `two of a kind at once are one event, and two kinds are two`() {
        let seen = Seen()
        let watch = InterruptWatch { seen.add($0) }
        kill(getpid(), SIGHUP)
        #expect(seen.waits(for: 1))
        usleep(1000)
        kill(getpid(), SIGHUP)
        kill(getpid(), SIGTERM)
        #expect(seen.waits(for: 1))
        #expect(seen.all == [SIGHUP, SIGTERM])
        withExtendedLifetime(watch) {}
    }

    private final class Seen: Sendable {
        private let numbers = Mutex<[Int32]>([])
        private let added = DispatchSemaphore(value: 0)

        var all: [Int32] { numbers.withLock { $0 } }

        func add(_ number: Int32) {
            numbers.withLock { $0.append(number) }
            added.signal()
        }

        /// Whether so many more have come within 10 s.
        func waits(for count: Int) -> Bool {
            (0..<count).allSatisfy { _ in added.wait(timeout: .now() + 10) == .success }
        }
    }
}
